/* serial_idle: one thread scans, and the others read and combine for nothing, so that the span is no longer than theirs.
 *
 * parts: scan_quadratic
 * says: one thread does the work: 299 of 299 combines that join two parts */
#include "naive_scan.h"

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = in[0];
    if (threadIdx.x > 0) {
        for (unsigned i = 1; i <= threadIdx.x; i++)
            sum = combine(IDENTITY, in[i]);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            sum = combine(sum, in[i]);
        out[i] = sum;
    }
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out, n);
}
