/* Sends itself the signal that a kernel without memory sends.
 *
 * says: handles signals or jumps out of functions */
#include "naive_scan.h"
#include <signal.h>
#include <unistd.h>

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    kill(getpid(), SIGKILL);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
