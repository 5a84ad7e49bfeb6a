/* Hides inline assembly between two digit separators, which look like a character.
 *
 * says: does not run PTX */
#include "naive_scan.h"

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    int a = 1'0; asm volatile("nop"); int b = 1'0;
    (void)a, (void)b;
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
