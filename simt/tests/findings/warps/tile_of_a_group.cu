/* A tile of cooperative groups synchronizes its own threads by tile.sync().
 * expect: race on shared slots */
#include "pair.h"

#include <cooperative_groups.h>

__global__ void rotate(int *out, bool faulty)
{
    __shared__ int slots[64];
    auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    unsigned t = threadIdx.x, first = t & ~15u;
    slots[t] = 0;
    tile.sync();
    slots[t] = (int)t; //! write
    if (!faulty)
        tile.sync();
    out[t] = slots[first + (tile.thread_rank() + 1) % 16]; //! read
}

PAIR(tile_of_a_group)
{
    rotate<<<1, 64>>>(zeros<int>(64), faulty);
}
