/* Launches what is no kernel: the middle of a function.
 *
 * says: launch of scan_quadratic_kernel refused: it is no function of this file */
#include "naive_scan.h"

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    void (*middle)(const elem_t *, elem_t *) =
        (void (*)(const elem_t *, elem_t *))((char *)(void *)scan_quadratic_kernel + 4);
    middle<<<1, 1>>>(in, out);
    return;
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
