/* One thread computes for all in a loop: the others must have read the old value before it writes the new one.
 * expect: race on shared pivot */
#include "pair.h"

__global__ void rounds(int *out, bool faulty)
{
    __shared__ int pivot;
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 0)
            pivot = round; //! write
        __syncthreads();
        sum += pivot; //! read
        if (!faulty)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

PAIR(barrier_missing_after_broadcast)
{
    rounds<<<1, 128>>>(zeros<int>(128), faulty);
}
