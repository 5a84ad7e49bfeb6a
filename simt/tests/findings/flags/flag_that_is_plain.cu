/* A flag must be written by a volatile or atomic access: the compiler may move or drop a plain one.
 * expect: race on __device__ ready
 * also: race on __device__ data
 * resident: 2 */
#include "pair.h"

__device__ int data;
__device__ int ready;

__global__ void hand_over(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 42;
        __threadfence();
        if (faulty)
            ready = 1; //! write
        else
            *(volatile int *)&ready = 1;
    } else {
        while (*(volatile int *)&ready == 0) //! read
            ;
        __threadfence();
        *out = data;
    }
}

PAIR(flag_that_is_plain)
{
    hand_over<<<2, 1>>>(zeros<int>(1), faulty);
}
