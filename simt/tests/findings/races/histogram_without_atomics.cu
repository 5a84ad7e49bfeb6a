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

//= histogram_without_atomics.cu:13  histogram: race on shared counts[0]
//=     thread 8 reads it at line 13, thread 0 writes it at line 13, and no barrier stands between
//=     try: this line reads the element and then writes it: use atomicAdd() and its like, which are one operation; or let one thread change it, or give each thread an element of its own
