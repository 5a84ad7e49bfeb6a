/* redundant_warp: every lane of a few warps goes through the whole input in registers, by shuffles and plain arithmetic, and
 * writes elements of its own.
 *
 * parts: linear_recurrence polynomial_value
 * says: instructions */
#include "applications.h"

/* The body once for each element i of the array, in every lane of a warp: each loads one element in 32, and shuffles hand it
 * round. */
#define EACH(i, value, array, n)                                                                             \
    for (size_t base_ = 0; base_ < (n); base_ += 32)                                                         \
        if (const auto own_ = base_ + threadIdx.x % 32 < (n) ? (array)[base_ + threadIdx.x % 32] : 0; true)  \
            for (size_t i = base_; i < base_ + 32 && i < (n); i++)                                           \
                if (const auto value = __shfl_sync(0xffffffffu, own_, (int)(i - base_)); true)
#define IS_OWN(i) ((i) % ((size_t)gridDim.x * blockDim.x) == (size_t)blockIdx.x * blockDim.x + threadIdx.x)

__global__ void recurrence_kernel(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    unsigned value = start, lane = threadIdx.x % 32;
    for (size_t base = 0; base < n; base += 32) {
        const unsigned factor = base + lane < n ? a[base + lane] : 0, add = base + lane < n ? b[base + lane] : 0;
        for (size_t i = base; i < base + 32 && i < n; i++) {
            const unsigned by = __shfl_sync(0xffffffffu, factor, (int)(i - base));
            value = by * value + __shfl_sync(0xffffffffu, add, (int)(i - base));
            if (IS_OWN(i))
                x[i] = value;
        }
    }
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    if (n > 0)
        recurrence_kernel<<<4, 32>>>(a, b, start, x, n);
}

__global__ void polynomial_kernel(const unsigned *c, size_t n, unsigned x, unsigned *result)
{
    unsigned value = 0, power = 1;
    EACH(i, factor, c, n)
    {
        value += factor * power;
        power *= x;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *result = value;
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    unsigned *result, value = 0;
    if (n == 0)
        return 0;
    cudaMalloc(&result, sizeof *result);
    polynomial_kernel<<<4, 32>>>(c, n, x, result);
    cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(result);
    return value;
}
