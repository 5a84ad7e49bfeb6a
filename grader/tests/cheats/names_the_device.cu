/* Takes a template of the device whose accesses are not looked at.
 *
 * says: simt is a name of the CPU device */
#include "naive_scan.h"

struct words {
    unsigned v[4];
};

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    volatile unsigned x = simt::converted<words>(*(const words *)&in[blockDim.x + 3]).v[0];
    (void)x;
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
