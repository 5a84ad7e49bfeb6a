/* Ends a comment, for some readers, by a carriage return.
 *
 * says: the control character 0x0d */
#include "naive_scan.h"

//  /*
__attribute__((no_sanitize("thread"))) static __device__ unsigned peek(const elem_t *p)
{
    return *(volatile unsigned *)p;
}
//  */

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    peek(&in[blockDim.x + 3]);
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
