/* Padding against bank conflicts needs memory: 64 elements, and a gap after every 32.
 * expect: write out of bounds */
#include "pair.h"

__global__ void pad(int *out, bool faulty)
{
    extern __shared__ int row[];
    unsigned t = threadIdx.x;
    row[t + t / 32] = (int)t; //! write
    __syncthreads();
    out[t] = row[63 - t + (63 - t) / 32];
}

PAIR(shared_too_small)
{
    pad<<<1, 64, (faulty ? 64 : 65) * sizeof(int)>>>(zeros<int>(64), faulty);
}
