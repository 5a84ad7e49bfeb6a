/* volatile keeps values out of registers, but does not make the lanes of a warp run in lockstep.
 * expect: warning: lanes of a warp rely on lockstep for shared partial */
#include "pair.h"

__global__ void reduce(int *out, bool faulty)
{
    __shared__ volatile int partial[64];
    unsigned t = threadIdx.x;
    partial[t] = (int)t;
    __syncthreads();
    if (t < 32) {
        for (unsigned half = 32; half > 0; half /= 2) {
            int other = t < half ? partial[t + half] : 0; //! read
            if (!faulty)
                __syncwarp();
            partial[t] = partial[t] + other; //! write
            if (!faulty)
                __syncwarp();
        }
    }
    if (t == 0)
        *out = partial[0];
}

PAIR(lockstep_by_volatile)
{
    reduce<<<1, 64>>>(zeros<int>(1), faulty);
}
