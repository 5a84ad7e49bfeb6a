/* A scan within a warp through shared memory: one __syncwarp() after the reads, one after the writes.
 * expect: race on shared sums */
#include "pair.h"

__global__ void scan_warp(int *out, bool faulty)
{
    __shared__ int sums[64];
    unsigned t = threadIdx.x, lane = t % 32;
    sums[t] = 1;
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        __syncwarp();
        int left = lane >= stride ? sums[t - stride] : 0; //! read
        if (!faulty)
            __syncwarp();
        sums[t] += left; //! write
    }
    out[t] = sums[t];
}

PAIR(syncwarp_once_of_two)
{
    scan_warp<<<1, 64>>>(zeros<int>(64), faulty);
}
