/* The last steps of a reduction, in one warp: its lanes need not run in lockstep.
 * expect: race on shared partial */
#include "pair.h"

__global__ void reduce(int *out, bool faulty)
{
    __shared__ int partial[64];
    unsigned t = threadIdx.x;
    partial[t] = (int)t;
    __syncthreads();
    if (t < 32) {
        for (unsigned half = 32; half > 0; half /= 2) {
            if (t < half)
                partial[t] += partial[t + half]; //! both
            if (!faulty)
                __syncwarp();
        }
    }
    if (t == 0)
        *out = partial[0];
}

PAIR(lockstep_reduction)
{
    reduce<<<1, 64>>>(zeros<int>(1), faulty);
}
