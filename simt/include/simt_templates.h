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
                                size_t from_left);
cudaError_t simt_copy_from_symbol(void *to, const void *symbol, size_t size, size_t bytes, size_t offset,
                                  enum cudaMemcpyKind kind, cudaStream_t stream, size_t to_left);
cudaError_t simt_symbol_address(void **pointer, const void *symbol);
cudaError_t simt_symbol_size(size_t *bytes, const void *symbol, size_t size);
}

template <class T> static inline __attribute__((always_inline)) const void *simt_address_of(const T &variable)
{
    return __builtin_addressof(variable);
}

SIMT_API cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                            enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return simt_copy_to_symbol(simt_address_of(symbol), sizeof symbol, from, bytes, offset, kind, 0,
                               SIMT_LEFT(from));
}
SIMT_API cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return simt_copy_to_symbol(simt_address_of(symbol), sizeof symbol, from, bytes, offset, kind, stream,
                               SIMT_LEFT(from));
}
SIMT_API cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                              enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return simt_copy_from_symbol(to, simt_address_of(symbol), sizeof symbol, bytes, offset, kind, 0,
                                 SIMT_LEFT(to));
}
SIMT_API cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return simt_copy_from_symbol(to, simt_address_of(symbol), sizeof symbol, bytes, offset, kind, stream,
                                 SIMT_LEFT(to));
}
SIMT_API cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return simt_symbol_address(pointer, simt_address_of(symbol));
}
SIMT_API cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return simt_symbol_size(bytes, simt_address_of(symbol), sizeof symbol);
}

/* ---- kernels ------------------------------------------------------------------------------------------------- */

SIMT_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
SIMT_API cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
SIMT_API cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache preference)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, preference);
}
SIMT_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads,
                                                       size_t dynamic_bytes)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                           dynamic_bytes);
}

SIMT_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *kernel, int threads,
                                                                size_t dynamic_bytes, unsigned)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                           dynamic_bytes);
}

/* Finds the block size with the most threads in flight, and the grid that fills the device with such blocks. */
template <class F, class T>
static inline __attribute__((always_inline)) cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T *kernel, F bytes_of_block,
                                               int limit = 0)
{
    if (!grid || !block)
        return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(0, (const void *)kernel, 32, 0);
    struct cudaFuncAttributes attributes;
    cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error)
        return error;
    if (limit <= 0 || limit > attributes.maxThreadsPerBlock)
        limit = attributes.maxThreadsPerBlock;
    int most = 0;
    *grid = *block = 0;
    for (int threads = (limit + 31) / 32 * 32; threads > 0; threads -= 32) {
        int size = threads < limit ? threads : limit, blocks;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, size,
                                                                bytes_of_block(size));
        if (error)
            return error;
        if (blocks * size > most) {
            most = blocks * size;
            *block = size;
            *grid = blocks;
        }
    }
    int processors;
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    *grid *= processors;
    return error;
}
SIMT_API cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *kernel, size_t dynamic_bytes = 0,
                                            int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [=](int) { return dynamic_bytes; }, limit);
}

SIMT_API cudaEventCreate(T *event, unsigned flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

#undef SIMT_API

#endif
