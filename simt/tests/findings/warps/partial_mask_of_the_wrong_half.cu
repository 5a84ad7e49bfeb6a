/* Sixteen lanes exchange values with each other, and the mask must have exactly these lanes.
 * expect: race on shared slots */
#include "pair.h"

__global__ void pairs(int *out, bool faulty)
{
    __shared__ int slots[32];
    unsigned t = threadIdx.x;
    slots[t] = 0;
    __syncwarp();
    slots[t] = (int)t; //! write
    unsigned even = 0x55555555u, low = 0xffffu;
    if (faulty)
        __syncwarp(t % 2 == 0 ? even : ~even);
    else
        __syncwarp(t < 16 ? low : ~low);
    out[t] = slots[t ^ 1]; //! read
}

PAIR(partial_mask_of_the_wrong_half)
{
    pairs<<<1, 32>>>(zeros<int>(32), faulty);
}

//= partial_mask_of_the_wrong_half.cu:17  pairs: race on shared slots[28]
//=     thread 28 writes it at line 11, thread 29 reads it at line 17, and no __syncwarp() or barrier stands between
//=     try: __syncwarp() between the two, or __syncthreads() if other warps use it too: lanes of a warp need not run in lockstep, and a shuffle orders no memory
