/* Cooperative groups: blocks, tiles of 32 and their reduce for any operator.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* A block of n/2 threads; ranks, sizes and barriers from the group. */
__global__ void tree_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t sums[TILE / 2];
    cg::thread_block block = cg::this_thread_block();
    unsigned i = block.thread_rank(), count = block.size();

    sums[i] = combine(in[i], in[i + count]);
    while (count > 1) {
        count >>= 1;
        block.sync();
        if (i < count)
            sums[i] = combine(sums[i], sums[i + count]);
    }
    if (i == 0)
        *out = sums[0];
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n) { tree_kernel<<<1, (unsigned)n / 2>>>(in, out); }
void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n) { tree_kernel<<<1, (unsigned)n / 2>>>(in, out); }

struct Combine {
    __device__ elem_t operator()(elem_t left, elem_t right) const { return combine(left, right); }
};

enum { THREADS = 64, ITEMS = 32 };

__global__ void tiles_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    __shared__ elem_t total;
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);

    size_t first = (size_t)block.group_index().x * THREADS * ITEMS + block.thread_rank();
    elem_t mine  = IDENTITY;
    for (unsigned k = 0; k < ITEMS && first + k * THREADS < n; k++)
        mine = combine(mine, in[first + k * THREADS]);
    mine = cg::reduce(warp, mine, Combine());
    if (block.thread_rank() == 32)
        total = mine;
    cg::sync(block);
    if (block.thread_rank() == 0)
        sums[block.group_index().x] = combine(mine, total);
}

/* Level by level, the sums of all levels in one allocation. */
void reduce(const elem_t *in, elem_t *out, size_t n)
{
    const size_t tile = THREADS * ITEMS;
    size_t scratch    = 0;
    for (size_t count = n; count > tile;)
        scratch += count = (count + tile - 1) / tile;
    elem_t *levels = nullptr, *sums;
    if (scratch > 0)
        cudaMalloc((void **)&levels, scratch * sizeof(elem_t));
    for (sums = levels; n > tile; sums += n) {
        size_t tiles = (n + tile - 1) / tile;
        tiles_kernel<<<(unsigned)tiles, THREADS>>>(in, sums, n);
        in = sums;
        n  = tiles;
    }
    tiles_kernel<<<1, THREADS>>>(in, out, n);
    cudaFree(levels);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_by(float *value, size_t n)
{
    if (cg::this_grid().thread_rank() == 0)
        *value /= (float)n;
}

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    divide_by<<<1, 32>>>(out, n);
}
#endif
