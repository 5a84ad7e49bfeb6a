/* The part of a helper header that vector samples use: errors by name, cores by architecture, choice of a device. */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

#ifdef __DRIVER_TYPES_H__
static const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}
#endif

template <typename T> void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
                static_cast<unsigned int>(result), _cudaGetErrorEnum(result), func);
        exit(EXIT_FAILURE);
    }
}

#ifdef __DRIVER_TYPES_H__
#define checkCudaErrors(val)  check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)

inline void __getLastCudaError(const char *errorMessage, const char *file, const int line)
{
    cudaError_t err = cudaGetLastError();

    if (cudaSuccess != err) {
        fprintf(stderr,
                "%s(%i) : getLastCudaError() CUDA error :"
                " %s : (%d) %s.\n",
                file, line, errorMessage, static_cast<int>(err), cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}
#endif

inline int _ConvertSMVer2Cores(int major, int minor)
{
    typedef struct {
        int SM; // 0xMm (hexidecimal notation), M = SM Major version, and m = SM minor version
        int Cores;
    } sSMtoCores;
    sSMtoCores nGpuArchCoresPerSM[] = {{0x50, 128}, {0x60, 64},  {0x70, 64},  {0x75, 64},  {0x80, 64},
                                       {0x86, 128}, {0x87, 128}, {0x89, 128}, {0x90, 128}, {-1, -1}};
    int index = 0, found = 64;

    while (nGpuArchCoresPerSM[index].SM != -1) {
        if (nGpuArchCoresPerSM[index].SM <= ((major << 4) + minor))
            found = nGpuArchCoresPerSM[index].Cores;
        index++;
    }
    return found;
}

inline int findCudaDevice(int argc, const char **argv)
{
    int current_device = 0, device_count = 0, best = -1;
    uint64_t max_perf = 0;
    (void)argc, (void)argv;
    checkCudaErrors(cudaGetDeviceCount(&device_count));
    if (device_count == 0) {
        fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: no devices supporting CUDA.\n");
        exit(EXIT_FAILURE);
    }
    while (current_device < device_count) {
        int computeMode = -1, major = 0, minor = 0, sms = 0;
        checkCudaErrors(cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, current_device));
        checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, current_device));
        checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, current_device));
        checkCudaErrors(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, current_device));
        if (computeMode != cudaComputeModeProhibited) {
            uint64_t perf = (uint64_t)sms * _ConvertSMVer2Cores(major, minor);
            if (best < 0 || perf > max_perf)
                max_perf = perf, best = current_device;
        }
        ++current_device;
    }
    checkCudaErrors(cudaSetDevice(best));
    return best;
}

#endif
