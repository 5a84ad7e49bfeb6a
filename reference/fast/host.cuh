/* host.cuh: what a host function needs around its kernels: scratch memory, shared memory, and how many multiprocessors there are. */
#ifndef FAST_HOST_CUH
#define FAST_HOST_CUH

#include <cuda_runtime.h>
#include <stdint.h>

/* From the device's pool, which keeps what is freed: allocating costs nothing the second time. */
static inline void *scratch(size_t bytes)
{
    void *memory = nullptr;
#ifndef __SIMT__
    static bool kept;
    if (!kept) {
        cudaMemPool_t pool;
        uint64_t all = UINT64_MAX;
        kept = cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) == cudaSuccess;
    }
#endif
    cudaMallocAsync(&memory, bytes, 0);
    return memory;
}

/* So much dynamic shared memory is more than a kernel may have without asking. */
template <class Kernel> static inline void allow(Kernel *kernel, unsigned bytes)
{
#ifdef __SIMT__
    (void)kernel;
    (void)bytes;
#else
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
#endif
}

static inline unsigned processors()
{
    static int known;
    if (known == 0)
        cudaDeviceGetAttribute(&known, cudaDevAttrMultiProcessorCount, 0);
    return (unsigned)known;
}

#endif
