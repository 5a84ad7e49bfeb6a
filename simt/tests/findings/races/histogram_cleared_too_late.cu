/* Counters in shared memory must be cleared before a thread counts: an atomic and a plain access race.
 * expect: race on shared counts
 * also: atomic operation on uninitialized shared counts */
#include "pair.h"

__global__ void histogram(int *out, bool faulty)
{
    __shared__ int counts[64];
    unsigned t = threadIdx.x;
    counts[t] = 0; //! write
    if (!faulty)
        __syncthreads();
    atomicAdd(&counts[63 - t], 1); //! atomic
    __syncthreads();
    out[t] = counts[t];
}

PAIR(histogram_cleared_too_late)
{
    histogram<<<1, 64>>>(zeros<int>(64), faulty);
}
