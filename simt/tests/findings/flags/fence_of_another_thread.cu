/* Within a block, the thread that sets the flag has a block fence, but another thread wrote the data.
 * expect: no fence between the flag and */
#include "pair.h"

__global__ void pass(volatile int *data, volatile int *flag, int *out, bool faulty)
{
    if (threadIdx.x == 0)
        data[0] = 1; //! write
    if (!faulty)
        __syncthreads();
    if (threadIdx.x == 32) {
        __threadfence_block();
        flag[0] = 1;
    }
    if (threadIdx.x == 64) {
        while (flag[0] == 0)
            ;
        __threadfence_block();
        out[0] = data[0]; //! read
    }
}

PAIR(fence_of_another_thread)
{
    int *words = zeros<int>(64);
    pass<<<1, 96>>>(words, words + 32, zeros<int>(1), faulty);
}
