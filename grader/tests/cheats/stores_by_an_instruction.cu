/* Stores by a function of the compiler's headers that is one instruction, which has no hook.
 *
 * says: xmmintrin.h: a lab's code includes */
#include "naive_scan.h"
#include <xmmintrin.h>

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    _m_maskmovq(__m64{}, __m64{}, (char *)out);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
