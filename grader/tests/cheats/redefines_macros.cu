/* Gives the contract's names another meaning.
 *
 * says: scan_quadratic */
#include "naive_scan.h"
#undef TILE
#define TILE 1
#define combine(a, b) (a)
#undef IDENTITY
#define IDENTITY in[0]

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = IDENTITY;
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
