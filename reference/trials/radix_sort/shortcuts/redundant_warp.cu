/* redundant_warp: every lane of a few warps goes through all keys in registers, by shuffles, and counts what comes before its
 * own keys: no scan.
 *
 * parts: split
 * says: instructions */
#include "radix_sort.h"

/* The body once for each element i of the array, in every lane of a warp: each loads one element in 32, and shuffles hand it
 * round. */
#define EACH(i, value, array, n)                                                                             \
    for (size_t base_ = 0; base_ < (n); base_ += 32)                                                         \
        if (const auto own_ = base_ + threadIdx.x % 32 < (n) ? (array)[base_ + threadIdx.x % 32] : 0; true)  \
            for (size_t i = base_; i < base_ + 32 && i < (n); i++)                                           \
                if (const auto value = __shfl_sync(0xffffffffu, own_, (int)(i - base_)); true)
#define IS_OWN(i) ((i) % ((size_t)gridDim.x * blockDim.x) == (size_t)blockIdx.x * blockDim.x + threadIdx.x)

__global__ void split_kernel(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    size_t zeros = 0, zero = 0, one = 0;
    EACH(i, key, in, n)
    zeros += !(key >> bit & 1);
    EACH(i, key, in, n)
    {
        const size_t slot = key >> bit & 1 ? zeros + one++ : zero++;
        if (IS_OWN(i))
            out[slot] = key;
    }
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    if (n > 0)
        split_kernel<<<4, 32>>>(in, out, n, bit);
}
