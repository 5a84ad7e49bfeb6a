/* cuda.h: the driver API. The CPU device has its version and types, and each function is refused by its name; programs
 * often include this header next to cuda_runtime.h without using more. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#define CUDA_VERSION 13000

#ifdef __cplusplus
#include "cuda_runtime.h"

enum CUresult { CUDA_SUCCESS = 0 };
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#define SIMT_LACKS_DRIVER(name)                                                                              \
    template <class... __A>                                                                                  \
    __attribute__((                                                                                          \
        __error__("the CPU device has no driver API (functions that begin with cu); DEVICE=cuda has"),       \
        __noinline__)) CUresult                                                                              \
    name(__A...);
SIMT_LACKS_DRIVER(cuInit)
SIMT_LACKS_DRIVER(cuDriverGetVersion)
SIMT_LACKS_DRIVER(cuGetErrorName)
SIMT_LACKS_DRIVER(cuGetErrorString)
SIMT_LACKS_DRIVER(cuDeviceGet)
SIMT_LACKS_DRIVER(cuDeviceGetAttribute)
SIMT_LACKS_DRIVER(cuDeviceGetCount)
SIMT_LACKS_DRIVER(cuDeviceGetName)
SIMT_LACKS_DRIVER(cuDeviceTotalMem)
SIMT_LACKS_DRIVER(cuDevicePrimaryCtxRetain)
SIMT_LACKS_DRIVER(cuDevicePrimaryCtxRelease)
SIMT_LACKS_DRIVER(cuCtxCreate)
SIMT_LACKS_DRIVER(cuCtxDestroy)
SIMT_LACKS_DRIVER(cuCtxSetCurrent)
SIMT_LACKS_DRIVER(cuCtxGetCurrent)
SIMT_LACKS_DRIVER(cuCtxSynchronize)
SIMT_LACKS_DRIVER(cuModuleLoad)
SIMT_LACKS_DRIVER(cuModuleLoadData)
SIMT_LACKS_DRIVER(cuModuleLoadDataEx)
SIMT_LACKS_DRIVER(cuModuleUnload)
SIMT_LACKS_DRIVER(cuModuleGetFunction)
SIMT_LACKS_DRIVER(cuModuleGetGlobal)
SIMT_LACKS_DRIVER(cuLaunchKernel)
SIMT_LACKS_DRIVER(cuMemAlloc)
SIMT_LACKS_DRIVER(cuMemFree)
SIMT_LACKS_DRIVER(cuMemGetInfo)
SIMT_LACKS_DRIVER(cuMemcpyHtoD)
SIMT_LACKS_DRIVER(cuMemcpyDtoH)
SIMT_LACKS_DRIVER(cuStreamCreate)
SIMT_LACKS_DRIVER(cuStreamSynchronize)
#endif

#endif
