/* Data and a flag pass from one block to another: without a fence the flag may be visible before the data.
 * expect: race on __device__ data
 * resident: 2 */
#include "pair.h"

__device__ int data;
__device__ volatile int ready;

__global__ void hand_over(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 42; //! write
        if (!faulty)
            __threadfence();
        ready = 1;
    } else {
        while (ready == 0)
            ;
        __threadfence();
        *out = data; //! read
    }
}

PAIR(flag_without_fence)
{
    hand_over<<<2, 1>>>(zeros<int>(1), faulty);
}

//= flag_without_fence.cu:20  hand_over: race on __device__ data
//=     thread 0 of block 0 writes it at line 12, thread 0 of block 1 reads it at line 20, and no __threadfence() stands before the flag that line 15 sets
//=     try: write the data, __threadfence(), then set the flag; read the flag, __threadfence(), then the data
