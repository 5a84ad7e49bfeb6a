/* Ends with the exit status by which a sandbox reports SIGTERM, after its work.
 *
 * says: crashed: the submission ended the process
 * says: it made a system call that no lab needs */
#include "naive_scan.h"
#include <stdlib.h>

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
    exit(143);
}
