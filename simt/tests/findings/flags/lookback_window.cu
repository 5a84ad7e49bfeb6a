/* A warp looks at 32 predecessors at once; each lane needs the fence between flag and value.
 * expect: no fence between the flag and */
#include "pair.h"

__device__ int ticket;

__global__ void scan(volatile int *flag, int *sum, int *out, bool faulty)
{
    __shared__ int tile;
    unsigned lane = threadIdx.x;
    if (lane == 0)
        tile = atomicAdd(&ticket, 1);
    __syncwarp();
    int other = tile - 1 - (int)lane, value = 0;
    if (other >= 0) {
        while (flag[other] == 0)
            ;
        if (!faulty)
            __threadfence();
        value = sum[other]; //! read
    }
    for (int half = 16; half > 0; half /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, half);
    if (lane == 0) {
        sum[tile] = 1; //! write
        __threadfence();
        flag[tile] = 1;
        out[tile] = value;
    }
}

PAIR(lookback_window)
{
    scan<<<20, 32>>>(zeros<int>(20), zeros<int>(20), zeros<int>(20), faulty);
}
