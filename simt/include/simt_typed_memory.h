/* simt_typed_memory.h: cudaMalloc and similar functions for pointers of any type, also in C++ that is not
 * translated. Internal to cuda_runtime.h. They are always inlined, so that a finding names the student's line. */
#ifndef SIMT_TYPED_MEMORY_H
#define SIMT_TYPED_MEMORY_H

#include "cuda_runtime_api.h"

#define SIMT_API template <class __T> static inline __attribute__((__always_inline__)) cudaError_t

SIMT_API cudaMalloc(__T **pointer, size_t bytes)
{
    return ::cudaMalloc((void **)pointer, bytes);
}
SIMT_API cudaMallocAsync(__T **pointer, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)pointer, bytes, stream);
}
SIMT_API cudaMallocPitch(__T **pointer, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)pointer, pitch, width, height);
}
SIMT_API cudaMallocManaged(__T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)pointer, bytes, flags);
}
SIMT_API cudaMallocHost(__T **pointer, size_t bytes, unsigned flags = 0)
{
    return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
SIMT_API cudaHostAlloc(__T **pointer, size_t bytes, unsigned flags)
{
    return ::cudaHostAlloc((void **)pointer, bytes, flags);
}
SIMT_API cudaHostGetDevicePointer(__T **device, void *host, unsigned flags)
{
    return ::cudaHostGetDevicePointer((void **)device, host, flags);
}

#endif
