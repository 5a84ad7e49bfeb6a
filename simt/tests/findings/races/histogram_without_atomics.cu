/* counts[key]++ reads, adds and writes: two threads with one key need an atomic operation.
 * expect: race on shared counts */
#include "pair.h"

__global__ void histogram(int *out, bool faulty)
{
    __shared__ int counts[8];
    unsigned t = threadIdx.x;
    if (t < 8)
        counts[t] = 0;
    __syncthreads();
    if (faulty)
        counts[t % 8]++; //! both
    else
        atomicAdd(&counts[t % 8], 1);
    __syncthreads();
    if (t < 8)
        out[t] = counts[t];
}

PAIR(histogram_without_atomics)
{
    histogram<<<1, 64>>>(zeros<int>(8), faulty);
}
