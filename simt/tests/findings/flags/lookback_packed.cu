/* Value and flag in one word of 8 bytes, written and read at once, need no fence. Plain accesses to it race.
 * expect: race on */
#include "pair.h"

__device__ int ticket;

__global__ void scan(unsigned long long *state, int *out, bool faulty)
{
    int tile = atomicAdd(&ticket, 1);
    unsigned long long before = 0;
    if (tile > 0) {
        while (((before = atomicAdd(&state[tile - 1], 0)) >> 32) == 0) //! atomic read
            ;
    }
    unsigned long long mine = 1ull << 32 | ((unsigned)before + 1u);
    if (faulty)
        state[tile] = mine; //! write
    else
        atomicExch(&state[tile], mine);
    out[tile] = (int)before;
}

PAIR(lookback_packed)
{
    scan<<<8, 1>>>(zeros<unsigned long long>(8), zeros<int>(8), faulty);
}
