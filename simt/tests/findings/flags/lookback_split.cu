/* Decoupled look-back with value and flag in separate words needs a fence between them.
 * expect: race on */
#include "pair.h"

__device__ int ticket;

__global__ void scan(volatile int *flag, int *sum, int *out, bool faulty)
{
    int tile = atomicAdd(&ticket, 1), before = 0;
    if (tile > 0) {
        while (flag[tile - 1] == 0)
            ;
        __threadfence();
        before = sum[tile - 1]; //! read
    }
    sum[tile] = before + 1; //! write
    if (!faulty)
        __threadfence();
    flag[tile] = 1;
    out[tile] = before;
}

PAIR(lookback_split)
{
    scan<<<8, 1>>>(zeros<int>(8), zeros<int>(8), zeros<int>(8), faulty);
}
