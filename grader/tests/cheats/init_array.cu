/* Runs code early, by the section that the loader reads.
 *
 * says: the attribute section(".init_array") */
#include "naive_scan.h"

static void early() {}
__attribute__((section(".init_array"), used)) static void (*entry)() = early;

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
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
