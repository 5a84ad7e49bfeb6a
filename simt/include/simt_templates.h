/* simt_templates.h: the C++ forms of runtime functions that take symbols or typed kernels. Internal to
 * cuda_runtime.h. They are always inlined, so that a finding names the student's line. */
#ifndef SIMT_TEMPLATES_H
#define SIMT_TEMPLATES_H

#include "cuda_runtime_api.h"
#include "simt_host_arrays.h"
#include "simt_language.h"
#include "simt_typed_memory.h"

/* ---- symbols: the variable itself, which has an address and a size
 * ------------------------------------------------ */

extern "C" {
cudaError_t simt_copy_to_symbol(const void *symbol, size_t size, const void *from, size_t bytes,
                                size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                                size_t __from_left);
cudaError_t simt_copy_from_symbol(void *to, const void *symbol, size_t size, size_t bytes, size_t offset,
                                  enum cudaMemcpyKind kind, cudaStream_t stream, size_t __to_left);
cudaError_t simt_symbol_address(void **pointer, const void *symbol);
cudaError_t simt_symbol_size(size_t *bytes, const void *symbol, size_t size);
}

template <class __T>
static inline __attribute__((__always_inline__)) const void *simt_address_of(const __T &__variable)
{
    return __builtin_addressof(__variable);
}

SIMT_API cudaMemcpyToSymbol(const __T &symbol, const void *from, size_t bytes, size_t offset = 0,
                            enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return simt_copy_to_symbol(simt_address_of(symbol), sizeof symbol, from, bytes, offset, kind, 0,
                               SIMT_LEFT(from));
}
SIMT_API cudaMemcpyToSymbolAsync(const __T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return simt_copy_to_symbol(simt_address_of(symbol), sizeof symbol, from, bytes, offset, kind, stream,
                               SIMT_LEFT(from));
}
SIMT_API cudaMemcpyFromSymbol(void *to, const __T &symbol, size_t bytes, size_t offset = 0,
                              enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return simt_copy_from_symbol(to, simt_address_of(symbol), sizeof symbol, bytes, offset, kind, 0,
                                 SIMT_LEFT(to));
}
SIMT_API cudaMemcpyFromSymbolAsync(void *to, const __T &symbol, size_t bytes, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return simt_copy_from_symbol(to, simt_address_of(symbol), sizeof symbol, bytes, offset, kind, stream,
                                 SIMT_LEFT(to));
}
SIMT_API cudaGetSymbolAddress(void **pointer, const __T &symbol)
{
    return simt_symbol_address(pointer, simt_address_of(symbol));
}
SIMT_API cudaGetSymbolSize(size_t *bytes, const __T &symbol)
{
    return simt_symbol_size(bytes, simt_address_of(symbol), sizeof symbol);
}

/* ---- kernels ------------------------------------------------------------------------------------------------- */

SIMT_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, __T *kernel)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
SIMT_API cudaFuncSetAttribute(__T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
SIMT_API cudaFuncSetCacheConfig(__T *kernel, enum cudaFuncCache __preference)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, __preference);
}
SIMT_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, __T *kernel, int __threads,
                                                       size_t __dynamic_bytes)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, (const void *)kernel, __threads,
                                                           __dynamic_bytes);
}

SIMT_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, __T *kernel, int __threads,
                                                                size_t __dynamic_bytes, unsigned)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, (const void *)kernel, __threads,
                                                           __dynamic_bytes);
}

/* The most dynamic shared memory with which that many blocks fit into a multiprocessor. */
SIMT_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, __T *kernel, int __wanted, int __threads)
{
    struct cudaFuncAttributes attributes;
    cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
    int __most = 0, __blocks = 0;
    if (!error)
        error = ::cudaDeviceGetAttribute(&__most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    size_t __left = __most - attributes.sharedSizeBytes;
    for (; !error; __left -= 128) {
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&__blocks, (const void *)kernel, __threads,
                                                                __left);
        if (__blocks >= __wanted || __left < 128)
            break;
    }
    if (!error)
        *__bytes = __blocks >= __wanted ? __left : 0;
    return error;
}

/* Finds the block size with the most threads in flight, and the grid that fills the device with such blocks. */
template <class __F, class __T>
static inline __attribute__((__always_inline__)) cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *__grid, int *__of_block, __T *kernel,
                                               __F __bytes_of_block, int limit = 0)
{
    if (!__grid || !__of_block)
        return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(0, (const void *)kernel, 32, 0);
    struct cudaFuncAttributes attributes;
    cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error)
        return error;
    if (limit <= 0 || limit > attributes.maxThreadsPerBlock)
        limit = attributes.maxThreadsPerBlock;
    int __most = 0;
    *__grid = *__of_block = 0;
    for (int __threads = (limit + 31) / 32 * 32; __threads > 0; __threads -= 32) {
        int size = __threads < limit ? __threads : limit, __blocks;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&__blocks, (const void *)kernel, size,
                                                                __bytes_of_block(size));
        if (error)
            return error;
        if (__blocks * size > __most) {
            __most = __blocks * size;
            *__of_block = size;
            *__grid = __blocks;
        }
    }
    int __processors;
    error = ::cudaDeviceGetAttribute(&__processors, cudaDevAttrMultiProcessorCount, 0);
    *__grid *= __processors;
    return error;
}
SIMT_API cudaOccupancyMaxPotentialBlockSize(int *__grid, int *__of_block, __T *kernel,
                                            size_t __dynamic_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        __grid, __of_block, kernel, [=](int) { return __dynamic_bytes; }, limit);
}

SIMT_API cudaEventCreate(__T *event, unsigned flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

#undef SIMT_API

#endif
