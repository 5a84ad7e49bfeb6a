/* Hides inline assembly in what looks like a raw string.
 *
 * says: does not run PTX */
#include "naive_scan.h"

#define xR

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    xR"("; asm volatile("nop"); ")";
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
