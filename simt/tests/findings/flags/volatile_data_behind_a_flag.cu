/* Data and flag are both volatile, which gives them no order: the data needs the fences to be passed on.
 * expect: no fence between the flag and __device__ data */
#include "pair.h"

__device__ volatile int data[8];
__device__ volatile int flag[8];
__device__ int ticket;

__global__ void hand_on(int *out, bool faulty)
{
    int block = atomicAdd(&ticket, 1);
    if (block > 0) {
        while (flag[block - 1] == 0)
            ;
        if (!faulty)
            __threadfence();
        out[block] = data[block - 1]; //! read
    }
    data[block] = block + 1; //! write
    if (!faulty)
        __threadfence();
    flag[block] = 1;
}

PAIR(volatile_data_behind_a_flag)
{
    hand_on<<<8, 1>>>(zeros<int>(8), faulty);
}
