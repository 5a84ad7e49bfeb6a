/* A transposition through a tile: each thread reads what another has stored.
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

//= tile_transposed_without_barrier.cu:14  transpose: race on shared tile[1][0]
//=     thread (0, 1) writes it at line 11, thread (1, 0) reads it at line 14, and no barrier stands between
//=     try: __syncthreads() between the write and the read
