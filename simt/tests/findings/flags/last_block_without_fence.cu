/* The last block adds up what the others wrote: each must write, then fence, and only then take a ticket.
 * expect: race on */
#include "pair.h"

__device__ unsigned finished;

__global__ void sum(int *partial, int *out, bool faulty)
{
    partial[blockIdx.x] = 1; //! write
    if (!faulty)
        __threadfence();
    if (atomicAdd(&finished, 1) == gridDim.x - 1) {
        __threadfence();
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            total += partial[i]; //! read
        *out = total;
    }
}

PAIR(last_block_without_fence)
{
    sum<<<6, 1>>>(zeros<int>(6), zeros<int>(1), faulty);
}
