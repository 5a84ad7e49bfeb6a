/* The last element is cleared while the last level of the up-sweep still reads it.
 * expect: race on shared tree */
#include "pair.h"

__global__ void scan(int *out, bool faulty)
{
    __shared__ int tree[128];
    unsigned t = threadIdx.x;
    tree[2 * t] = 1;
    tree[2 * t + 1] = 1;
    for (unsigned stride = 1; stride < 128; stride *= 2) {
        __syncthreads();
        unsigned right = 128 - 1 - t * stride * 2;
        if (t * stride * 2 + stride < 128)
            tree[right] += tree[right - stride]; //! both
    }
    if (!faulty)
        __syncthreads();
    if (t == 63)
        tree[127] = 0; //! write
    __syncthreads();
    out[t] = tree[2 * t + 1];
}

PAIR(root_cleared_too_early)
{
    scan<<<1, 64>>>(zeros<int>(64), faulty);
}
