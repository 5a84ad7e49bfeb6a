/* A transposition through a tile: each thread takes what another brought.
 * expect: race on shared tile */
#include "pair.h"

__global__ void transpose(const int *in, int *out, bool faulty)
{
    __shared__ int tile[16][17];
    unsigned x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = 0;
    __syncthreads();
    tile[y][x] = in[y * 16 + x]; //! write
    if (!faulty)
        __syncthreads();
    out[y * 16 + x] = tile[x][y]; //! read
}

PAIR(tile_transposed_without_barrier)
{
    transpose<<<1, dim3(16, 16)>>>(zeros<int>(256), zeros<int>(256), faulty);
}
