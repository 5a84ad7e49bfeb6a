/* Writes into the C library's variables, from where one comes to the device's.
 *
 * says: host code writes to memory that is not its own */
#include "naive_scan.h"
#include <stdio.h>

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    *(volatile char *)stdout = *(volatile char *)stdout;
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
