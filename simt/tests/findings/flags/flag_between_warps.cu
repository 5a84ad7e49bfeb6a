/* Two warps of a block pass data by a flag in shared memory, for which __threadfence_block() is enough.
 * expect: race on shared data */
#include "pair.h"

__global__ void hand_over(int *out, bool faulty)
{
    __shared__ int data;
    __shared__ volatile int ready;
    if (threadIdx.x == 0) {
        ready = 0;
        data = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 42; //! write
        if (!faulty)
            __threadfence_block();
        ready = 1;
    }
    if (threadIdx.x == 32) {
        while (ready == 0)
            ;
        __threadfence_block();
        *out = data; //! read
    }
}

PAIR(flag_between_warps)
{
    hand_over<<<1, 64>>>(zeros<int>(1), faulty);
}
