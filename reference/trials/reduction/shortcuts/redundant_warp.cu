/* redundant_warp: every thread of a block reduces the whole input in registers, by the operator that nobody counts. One
 * of them writes the result.
 *
 * parts: reduce_tile reduce_tile_packed
 * says: instructions */
#include "reduction.h"

__global__ void reduce_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++)
        sum = MONOID_COMBINE(sum, in[i]);
    if (threadIdx.x == 0)
        *out = combine(sum, IDENTITY);
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, 32>>>(in, out, n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, 32>>>(in, out, n);
}
