/* The consumer's fence keeps it from loading the data before the flag. A missing fence is a race.
 * expect: no fence between the flag and __device__ data
 * resident: 2 */
#include "pair.h"

__device__ int data;
__device__ volatile int ready;

__global__ void hand_over(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 42; //! write
        __threadfence();
        ready = 1;
    } else {
        while (ready == 0)
            ;
        if (!faulty)
            __threadfence();
        *out = data; //! read
    }
}

PAIR(flag_without_acquire)
{
    hand_over<<<2, 1>>>(zeros<int>(1), faulty);
}

//= flag_without_acquire.cu:20  hand_over: no fence between the flag and __device__ data
//=     thread 0 of block 0 writes it at line 12, thread 0 of block 1 reads it at line 20, and the reader has no fence between the flag and this
//=     try: __threadfence() after the loop that waits for the flag, in the thread that waits
