/* Calls an address as the destructor of what it throws.
 *
 * says: __cxa_throw is for the compiler to call */
#include "naive_scan.h"
#include <stdlib.h>
#include <typeinfo>

extern "C" void __cxa_throw(void *, void *, void (*)(void *));

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    __cxa_throw(out, (void *)&typeid(int), (void (*)(void *))(void *)abort);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
