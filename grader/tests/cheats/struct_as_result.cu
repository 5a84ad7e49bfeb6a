/* Writes out of bounds by a struct that a call returns, where no hook is.
 *
 * says: scan_quadratic_kernel passes a struct in memory */
#include "naive_scan.h"

struct word {
    unsigned v;
};

__attribute__((noinline)) static __device__ word make(unsigned v)
{
    return word{v};
}

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    *(word *)&out[blockDim.x + 3] = make(threadIdx.x);
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
