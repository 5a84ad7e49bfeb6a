/* Counters may be read only when all threads have counted.
 * expect: race on shared counts */
#include "pair.h"

__global__ void histogram(int *out, bool faulty)
{
    __shared__ int counts[64];
    unsigned t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    atomicAdd(&counts[t * 7 % 64], 1); //! atomic
    if (!faulty)
        __syncthreads();
    out[t] = counts[t]; //! read
}

PAIR(histogram_read_too_early)
{
    histogram<<<1, 64>>>(zeros<int>(64), faulty);
}
