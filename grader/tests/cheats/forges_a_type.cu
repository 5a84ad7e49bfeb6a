/* Calls an address as a function of the type of an object that is none.
 *
 * says: __dynamic_cast calls a function by its address */
#include "naive_scan.h"
#include <stdlib.h>

struct base {
    virtual ~base()
    {
    }
};
struct derived : base {
    int more;
};

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    void *functions[8], *type[2] = {functions, out}, *table[3] = {nullptr, type, nullptr},
                        *object[1] = {table + 2};
    for (void *&function : functions)
        function = (void *)abort;
    if (dynamic_cast<derived *>((base *)(void *)object))
        return;
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
