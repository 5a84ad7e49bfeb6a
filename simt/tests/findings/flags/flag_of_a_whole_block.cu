/* A block writes and its thread 0 sets the flag: without a barrier between them, the fence covers thread 0 only.
 * expect: race on
 * resident: 2 */
#include "pair.h"

__device__ volatile int ready;

__global__ void hand_over(int *data, int *out, bool faulty)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 1; //! write
        if (!faulty)
            __syncthreads();
        if (t == 0) {
            __threadfence();
            ready = 1;
        }
    } else {
        if (t == 0) {
            while (ready == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        out[t] = data[t]; //! read
    }
}

PAIR(flag_of_a_whole_block)
{
    hand_over<<<2, 64>>>(zeros<int>(64), zeros<int>(64), faulty);
}
