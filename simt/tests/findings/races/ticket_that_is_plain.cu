/* The number of the next tile must come from an atomic counter; a plain one gives two blocks the same number.
 * expect: race on __device__ next */
#include "pair.h"

__device__ int next;

__global__ void tiles(int *out, bool faulty)
{
    int tile = faulty ? next++ : atomicAdd(&next, 1); //! both
    if (tile < 8)
        out[tile] = 1;
}

PAIR(ticket_that_is_plain)
{
    tiles<<<8, 1>>>(zeros<int>(8), faulty);
}
