/* With one block this is right; with more, the blocks share one slot.
 * expect: race on */
#include "pair.h"

__global__ void sum(int *out, bool faulty)
{
    int total = __syncthreads_count(threadIdx.x % 3 == 0);
    if (threadIdx.x == 0)
        out[faulty ? 0 : blockIdx.x] = total + (int)blockIdx.x; //! write
}

PAIR(beyond_one_block)
{
    sum<<<1, 64>>>(zeros<int>(1), faulty);
    sum<<<3, 64>>>(zeros<int>(3), faulty);
}
