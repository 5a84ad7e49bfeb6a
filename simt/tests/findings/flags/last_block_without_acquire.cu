/* The last block needs a fence between its ticket and the results that it reads. A missing fence is a warning.
 * expect: warning: no fence between the ticket and */
#include "pair.h"

__device__ unsigned finished;

__global__ void sum(int *partial, int *out, bool faulty)
{
    partial[blockIdx.x] = 1; //! write
    __threadfence();
    if (atomicAdd(&finished, 1) == gridDim.x - 1) {
        if (!faulty)
            __threadfence();
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            total += partial[i]; //! read
        *out = total;
    }
}

PAIR(last_block_without_acquire)
{
    sum<<<6, 1>>>(zeros<int>(6), zeros<int>(1), faulty);
}
