/* Every block reads the word, and the last to finish writes it. One block does not take part in the count.
 * expect: race on */
#include "pair.h"

__device__ unsigned finished;

__global__ void reset(int *word, int *out, bool faulty)
{
    out[blockIdx.x] = *word; //! read
    if (faulty && blockIdx.x == 3)
        return;
    __threadfence();
    if (atomicAdd(&finished, 1) == gridDim.x - (faulty ? 2 : 1)) {
        __threadfence();
        *word = 5; //! write
    }
}

PAIR(one_of_many_blocks)
{
    reset<<<8, 1>>>(zeros<int>(1), zeros<int>(8), faulty);
}
