/* The last block of a reduction as in the CUDA C++ Programming Guide: one fence, before the ticket, and volatile
 * results. The memory model requires a second fence, after the ticket. Its absence is a warning, which costs no points.
 * expect: warning: no fence between the ticket and */
#include "pair.h"

__device__ unsigned finished;
__shared__ bool is_last;

__global__ void sum(volatile int *partial, int *out, bool faulty)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1; //! write
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
        if (!faulty)
            __threadfence();
    }
    __syncthreads();
    if (!is_last || threadIdx.x > 0)
        return;
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
        total += partial[i]; //! read
    *out = total;
}

PAIR(last_block_with_one_fence)
{
    sum<<<6, 64>>>(zeros<int>(6), zeros<int>(1), faulty);
}
