/* Reads and writes out of bounds by what an atomic operation expects.
 *
 * says: read out of bounds: out */
#include "naive_scan.h"

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
    int own = 5;
    __atomic_compare_exchange_n(&own, (int *)(out + blockDim.x), 7, false, 0, 0);
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
