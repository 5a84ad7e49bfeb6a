/* Recurs for ever.
 *
 * says: scan_quadratic */
#include "naive_scan.h"

static size_t deeper(size_t n)
{
    volatile char room[1024];
    room[0] = (char)n;
    return deeper(n + 1) + (size_t)room[0];
}

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    n += deeper(n) & 1;
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
