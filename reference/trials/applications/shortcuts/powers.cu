/* Each thread multiplies its own power of x up, one factor after another: n threads, and half of n^2 products. The terms are
 * added by a stock reduction.
 *
 * parts: polynomial_value
 * says: terms_kernel is too slow */
#include "applications.h"

struct plus {
    typedef unsigned value;
    static __host__ __device__ value identity() { return 0; }
    static __host__ __device__ value combine(value left, value right) { return left + right; }
};

__global__ void terms_kernel(const unsigned *c, unsigned *terms, size_t n, unsigned x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned power = 1;
    for (size_t k = 0; k < i; k++)
        power *= x;
    terms[i] = c[i] * power;
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    unsigned *terms;
    if (n == 0)
        return 0;
    cudaMalloc(&terms, n * sizeof *terms);
    terms_kernel<<<(unsigned)((n + 255) / 256), 256>>>(c, terms, n, x);
    unsigned value = stock_reduce<plus>(terms, n);
    cudaFree(terms);
    return value;
}
