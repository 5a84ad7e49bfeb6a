/* All threads of a block write, so the thread that takes the ticket must run after all of them.
 * expect: race on */
#include "pair.h"

__device__ unsigned finished;

__global__ void sum(int *partial, int *out, bool faulty)
{
    __shared__ bool last;
    unsigned t = threadIdx.x;
    partial[blockIdx.x * blockDim.x + t] = 1; //! write
    __threadfence();
    if (!faulty)
        __syncthreads();
    if (t == 0)
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        int total = 0;
        for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
            total += partial[i]; //! read
        *out = total;
    }
}

PAIR(last_block_without_barrier)
{
    sum<<<4, 64>>>(zeros<int>(256), zeros<int>(1), faulty);
}
