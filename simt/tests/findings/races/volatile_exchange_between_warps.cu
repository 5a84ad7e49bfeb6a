/* An array is reversed through shared memory: volatile keeps the accesses, but makes no warp wait for another.
 * expect: warning: the order of threads decides what is read of shared buffer */
#include "pair.h"

__global__ void turn_around(int *out, bool faulty)
{
    __shared__ volatile int buffer[64];
    int t = threadIdx.x;
    buffer[t] = t; //! write
    if (!faulty)
        __syncthreads();
    out[t] = buffer[63 - t]; //! read
}

PAIR(volatile_exchange_between_warps)
{
    turn_around<<<1, 64>>>(zeros<int>(64), faulty);
}
