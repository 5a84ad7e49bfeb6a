/* The reduction of old course material, with volatile instead of all barriers: that was right within a warp of older
 * GPUs, and never between warps.
 * expect: warning: the order of threads decides what is read of shared sums
 * also: warning: lanes of a warp rely on lockstep for shared sums */
#include "pair.h"

__global__ void reduce(const int *in, int *out, bool faulty)
{
    __shared__ volatile int sums[128];
    unsigned t = threadIdx.x;
    sums[t] = in[t]; //! write
    for (unsigned stride = 64; stride > 0; stride /= 2) {
        if (!faulty)
            __syncthreads();
        if (t < stride)
            sums[t] = sums[t] + sums[t + stride]; //! both
    }
    if (t == 0)
        out[0] = sums[0];
}

PAIR(volatile_tree_of_a_block)
{
    reduce<<<1, 128>>>(zeros<int>(128), zeros<int>(1), faulty);
}
