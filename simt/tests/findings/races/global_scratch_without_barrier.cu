/* Threads of one block need the barrier for global memory too.
 * expect: race on */
#include "pair.h"

__global__ void reverse(int *scratch, int *out, bool faulty)
{
    unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
    scratch[first + t] = (int)t; //! write
    if (!faulty)
        __syncthreads();
    out[first + t] = scratch[first + blockDim.x - 1 - t]; //! read
}

PAIR(global_scratch_without_barrier)
{
    reverse<<<3, 64>>>(zeros<int>(192), zeros<int>(192), faulty);
}
