/* Groups of eight lanes, each with its own mask: a lane may read only in its group.
 * expect: race on shared slots */
#include "pair.h"

__global__ void groups(int *out, bool faulty)
{
    __shared__ int slots[64];
    unsigned t = threadIdx.x, lane = t % 32;
    slots[t] = 0;
    __syncthreads();
    slots[t] = (int)t; //! write
    __syncwarp(0xffu << (lane & 24));
    unsigned group = t & ~7u;
    out[t] = slots[faulty ? t ^ 8 : group + (7 - t % 8)]; //! read
}

PAIR(partial_mask_of_eight)
{
    groups<<<1, 64>>>(zeros<int>(64), faulty);
}
