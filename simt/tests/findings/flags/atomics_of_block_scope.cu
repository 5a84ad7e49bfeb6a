/* atomicAdd_block: right on a counter of the block, wrong on one of the grid.
 * expect: race on */
#include "pair.h"

__global__ void count(int *counters, bool faulty)
{
    atomicAdd_block(&counters[faulty ? 0 : blockIdx.x], 1); //! atomic
}

PAIR(atomics_of_block_scope)
{
    count<<<4, 32>>>(zeros<int>(4), faulty);
}
