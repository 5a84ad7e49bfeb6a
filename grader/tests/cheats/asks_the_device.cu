/* Names a function that the device keeps to itself.
 *
 * says: simt_begin_run  */
#include "naive_scan.h"

extern "C" void simt_begin_run() __attribute__((weak));

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    if (simt_begin_run)
        simt_begin_run();
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
