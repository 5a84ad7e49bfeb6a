/* Waits for a thread that never comes.
 *
 * says: scan_quadratic */
#include "naive_scan.h"

__device__ volatile int flag;
__global__ void wait_for_ever(elem_t *out)
{
    while (flag == 0)
        ;
    out[0] = IDENTITY;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    (void)in;
    if (n > 0)
        wait_for_ever<<<1, 1>>>(out);
}
