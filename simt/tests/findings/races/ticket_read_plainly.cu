/* Blocks add to a counter atomically while one reads it with a plain load.
 * expect: race on __device__ total */
#include "pair.h"

__device__ int total;

__global__ void add(int *out, bool faulty)
{
    if (blockIdx.x == 3)
        *out = faulty ? total : atomicAdd(&total, 0); //! read
    else
        atomicAdd(&total, 1); //! atomic
}

PAIR(ticket_read_plainly)
{
    add<<<6, 1>>>(zeros<int>(1), faulty);
}
