/* each_sorts_all: every thread sorts the whole tile in an array of its own, and writes one key of it.
 *
 * parts: sort_tile
 * says: each thread does the work for itself */
#include "radix_sort.h"

__global__ void sort_tile_kernel(const unsigned *in, unsigned *out, unsigned n)
{
    unsigned keys[TILE];
    for (unsigned i = 0; i < n; i++) {
        unsigned key = in[i], at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = keys[i];
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    sort_tile_kernel<<<1, 64>>>(in, out, (unsigned)n);
}
