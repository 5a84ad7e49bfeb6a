/* Threads past the end return before the barrier at which the others wait. This is a warning, because since compute
 * capability 7.0 a barrier waits only for the threads that remain.
 * expect: warning: 40 of 64 threads reach this barrier */
#include "pair.h"

__global__ void reverse(const int *in, int *out, int n, bool faulty)
{
    __shared__ int tile[64];
    int t = (int)threadIdx.x;
    if (faulty && t >= n)
        return;
    if (t < n)
        tile[t] = in[t];
    __syncthreads(); //! barrier
    if (t < n)
        out[t] = tile[n - 1 - t];
}

PAIR(early_return)
{
    reverse<<<1, 64>>>(zeros<int>(64), zeros<int>(64), 40, faulty);
}

//= early_return.cu:14  reverse: warning: 40 of 64 threads reach this barrier
//=     threads 0-39 of block 0 wait at the block's barrier at line 14
//=     threads 40-63 of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
