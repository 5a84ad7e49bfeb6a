/* Thread 0 of the consuming block waits for the flag; the others must wait for thread 0.
 * expect: race on
 * resident: 2 */
#include "pair.h"

__device__ volatile int ready;

__global__ void hand_over(int *data, int *out, bool faulty)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 1; //! write
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
        if (!faulty)
            __syncthreads();
        out[t] = data[t]; //! read
    }
}

PAIR(flag_consumed_without_barrier)
{
    hand_over<<<2, 64>>>(zeros<int>(64), zeros<int>(64), faulty);
}
