/* Copies by C++'s streams, which were compiled without hooks.
 *
 * says: is of C++'s library */
#include "naive_scan.h"
#include <ostream>
#include <streambuf>

struct hole : std::streambuf {
    hole(char *p, size_t n)
    {
        setp(p, p + n);
    }
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
    hole h((char *)out, 4);
    std::ostream(&h).write("abcd", 4);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
