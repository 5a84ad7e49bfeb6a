/* simt_typed_memory.h: cudaMalloc and similar functions for pointers of any type, also in C++ that is not
 * translated. Internal to cuda_runtime.h. They are always inlined, so that a finding names the student's line. */
#ifndef SIMT_TYPED_MEMORY_H
#define SIMT_TYPED_MEMORY_H

#include "cuda_runtime_api.h"

#define SIMT_API template <class T> static inline __attribute__((always_inline)) cudaError_t

SIMT_API cudaMalloc(T **pointer, size_t bytes)
{
    return ::cudaMalloc((void **)pointer, bytes);
}
SIMT_API cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)pointer, bytes, stream);
}
SIMT_API cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)pointer, pitch, width, height);
}
SIMT_API cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)pointer, bytes, flags);
}
SIMT_API cudaMallocHost(T **pointer, size_t bytes, unsigned flags = 0)
{
    return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
SIMT_API cudaHostAlloc(T **pointer, size_t bytes, unsigned flags)
{
    return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
SIMT_API cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return ::cudaHostGetDevicePointer((void **)device, host, flags);
}

#endif
