/* The writer of volatile data fences before it sets the flag. So must the reader, between the flag and the data.
 * expect: no fence between the flag and __device__ data */
#include "pair.h"

__device__ volatile int data[8];
__device__ int flag[8];
__device__ int ticket;

__global__ void hand_on(int *out, bool faulty)
{
    int block = atomicAdd(&ticket, 1);
    if (block > 0) {
        while (*(volatile int *)&flag[block - 1] == 0)
            ;
        if (!faulty)
            __threadfence();
        out[block] = data[block - 1]; //! read
    }
    data[block] = block + 1; //! write
    __threadfence();
    atomicExch(&flag[block], 1);
}

PAIR(volatile_data_without_acquire)
{
    hand_on<<<8, 1>>>(zeros<int>(8), faulty);
}
