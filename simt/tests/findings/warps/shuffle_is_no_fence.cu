/* A shuffle makes lanes wait for each other but orders no memory.
 * expect: race on shared slots */
#include "pair.h"

__global__ void exchange(int *out, bool faulty)
{
    __shared__ int slots[32];
    unsigned t = threadIdx.x;
    slots[t] = 0;
    __syncwarp();
    slots[t] = (int)t; //! write
    int offset = __shfl_sync(0xffffffffu, 1, 0);
    if (!faulty)
        __syncwarp();
    out[t] = slots[(t + offset) % 32]; //! read
}

PAIR(shuffle_is_no_fence)
{
    exchange<<<1, 32>>>(zeros<int>(32), faulty);
}

//= shuffle_is_no_fence.cu:15  exchange: race on shared slots[31]
//=     thread 31 writes it at line 11, thread 30 reads it at line 15, and no __syncwarp() or barrier stands between
//=     try: __syncwarp() between the two, or __syncthreads() if other warps use it too: lanes of a warp need not run in lockstep, and a shuffle orders no memory
