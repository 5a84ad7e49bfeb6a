/* The up-sweep of a work-efficient scan needs a barrier for each level.
 * expect: race on shared tree */
#include "pair.h"

__global__ void up_sweep(int *out, bool faulty)
{
    __shared__ int tree[128];
    unsigned t = threadIdx.x;
    tree[2 * t] = 1;
    tree[2 * t + 1] = 1;
    __syncthreads();
    for (unsigned stride = 1; stride < 128; stride *= 2) {
        unsigned right = (t + 1) * stride * 2 - 1;
        if (right < 128)
            tree[right] += tree[right - stride]; //! both
        if (!faulty || stride < 4)
            __syncthreads();
    }
    __syncthreads();
    out[blockIdx.x * 64 + t] = tree[2 * t + 1];
}

PAIR(barrier_missing_in_upsweep)
{
    up_sweep<<<2, 64>>>(zeros<int>(64 * 2), faulty);
}
