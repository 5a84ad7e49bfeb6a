/* The macros that samples of 2007 used from a utility header, which C and C++ read. */
#ifndef _CUTIL_MINI_H_
#define _CUTIL_MINI_H_

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 } CUTBoolean;

CUTBoolean cutComparefe(const float *reference, const float *data, unsigned int len, float epsilon);
CUTBoolean cutCreateTimer(unsigned int *name);
CUTBoolean cutStartTimer(unsigned int name);
CUTBoolean cutStopTimer(unsigned int name);
float cutGetTimerValue(unsigned int name);

#ifdef __cplusplus
}
#endif

#define CUDA_SAFE_CALL_NO_SYNC(call)                                                                         \
    do {                                                                                                     \
        cudaError err = call;                                                                                \
        if (cudaSuccess != err) {                                                                            \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,                \
                    cudaGetErrorString(err));                                                                \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

#define CUDA_SAFE_CALL(call)                                                                                 \
    do {                                                                                                     \
        CUDA_SAFE_CALL_NO_SYNC(call);                                                                        \
        cudaError err = cudaDeviceSynchronize();                                                             \
        if (cudaSuccess != err) {                                                                            \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,                \
                    cudaGetErrorString(err));                                                                \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

#define CUT_SAFE_CALL(call)                                                                                  \
    if (CUTTrue != call) {                                                                                   \
        fprintf(stderr, "Cut error in file '%s' in line %i.\n", __FILE__, __LINE__);                         \
        exit(EXIT_FAILURE);                                                                                  \
    }

#define CUT_CHECK_ERROR(errorMessage)                                                                        \
    do {                                                                                                     \
        cudaError_t err = cudaGetLastError();                                                                \
        if (cudaSuccess != err) {                                                                            \
            fprintf(stderr, "Cuda error: %s in file '%s' in line %i : %s.\n", errorMessage, __FILE__,        \
                    __LINE__, cudaGetErrorString(err));                                                      \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
        CUDA_SAFE_CALL(cudaDeviceSynchronize());                                                             \
    } while (0)

#endif
