/* A kernel that never ends.
 *
 * says: does not end */
#include "naive_scan.h"

__global__ void spin(elem_t *out, size_t n)
{
    while (n > 0)
        n |= 1;
    out[0] = IDENTITY;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    (void)in;
    if (n > 0)
        spin<<<1, 1>>>(out, n);
}
