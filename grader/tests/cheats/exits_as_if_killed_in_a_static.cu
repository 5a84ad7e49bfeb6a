/* Ends as if it were killed before the runner has said that the library is loaded.
 *
 * says: crashed: the submission ended the process
 * says: it made a system call that no lab needs */
#include "naive_scan.h"
#include <stdlib.h>

struct ends {
    ends()
    {
        exit(137);
    }
};
static ends at_once;

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
