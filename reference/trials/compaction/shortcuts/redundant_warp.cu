/* redundant_warp: every lane of a few warps goes through the whole input in registers, by shuffles, and counts with plain
 * arithmetic. Each writes the elements that are its own.
 *
 * parts: compact compact_warp
 * says: instructions */
#include "compaction.h"

/* The body once for each element i of the array, in every lane of a warp: each loads one element in 32, and shuffles hand it
 * round. */
#define EACH(i, value, array, n)                                                                             \
    for (size_t base_ = 0; base_ < (n); base_ += 32)                                                         \
        if (const auto own_ = base_ + threadIdx.x % 32 < (n) ? (array)[base_ + threadIdx.x % 32] : 0; true)  \
            for (size_t i = base_; i < base_ + 32 && i < (n); i++)                                           \
                if (const auto value = __shfl_sync(0xffffffffu, own_, (int)(i - base_)); true)
#define IS_OWN(i) ((i) % ((size_t)gridDim.x * blockDim.x) == (size_t)blockIdx.x * blockDim.x + threadIdx.x)

__global__ void compact_kernel(const int *in, int *out, unsigned *count, size_t n)
{
    unsigned kept = 0;
    EACH(i, value, in, n)
    {
        if (keep(value) && IS_OWN(i))
            out[kept] = value;
        kept += keep(value);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *count = kept;
}

size_t compact(const int *in, int *out, size_t n)
{
    unsigned *count, result = 0;
    if (n == 0)
        return 0;
    cudaMalloc(&count, sizeof *count);
    compact_kernel<<<4, 32>>>(in, out, count, n);
    cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(count);
    return result;
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return compact(in, out, n);
}
