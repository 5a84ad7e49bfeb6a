/* __syncwarp() synchronizes the lanes of one warp; reading what another warp wrote needs __syncthreads().
 * expect: race on shared sums */
#include "pair.h"

__global__ void sum(int *out, bool faulty)
{
    __shared__ int sums[4];
    unsigned t = threadIdx.x, warp = t / 32;
    if (t < 4)
        sums[t] = 0;
    __syncthreads();
    if (t % 32 == 0)
        sums[warp] = (int)warp; //! write
    if (faulty)
        __syncwarp();
    else
        __syncthreads();
    out[t] = sums[0] + sums[1] + sums[2] + sums[3]; //! read
}

PAIR(warps_need_a_barrier)
{
    sum<<<1, 128>>>(zeros<int>(128), faulty);
}
