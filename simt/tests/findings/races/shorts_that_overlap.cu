/* Halves of a word: indices i and i + 1 have no byte in common, but two threads with one index do.
 * expect: race on shared half */
#include "pair.h"

__global__ void set(short *out, bool faulty)
{
    __shared__ short half[64];
    unsigned t = threadIdx.x;
    half[faulty ? t / 2 : t] = (short)t; //! write
    __syncthreads();
    if (!faulty)
        out[t] = half[63 - t];
}

PAIR(shorts_that_overlap)
{
    set<<<1, 64>>>(zeros<short>(64), faulty);
}
