/* A branch that a whole block takes may contain a barrier. Here odd blocks skip it, and only they race.
 * expect: race on shared value */
#include "pair.h"

__global__ void broadcast(int *out, bool faulty)
{
    __shared__ int value;
    if (threadIdx.x == 0)
        value = 0;
    __syncthreads();
    if (threadIdx.x == 70)
        value = 5; //! write
    if (blockIdx.x % 2 == 0 || !faulty)
        __syncthreads();
    out[blockIdx.x * 96 + threadIdx.x] = value; //! read
}

PAIR(barrier_in_uniform_branch)
{
    broadcast<<<4, 96>>>(zeros<int>(4 * 96), faulty);
}
