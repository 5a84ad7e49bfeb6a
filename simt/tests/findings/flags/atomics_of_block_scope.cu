/* atomicAdd_block is right on a counter of the block and wrong on a counter of the grid.
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

//= atomics_of_block_scope.cu:7  count: race on byte 0 of an allocation
//=     thread 0 of block 0 writes it (atomic for its block) at line 7, thread 0 of block 1 writes it (atomic for its block) at line 7, and an atomic operation of block scope is none to other blocks
//=     try: leave out the _block: atomicAdd(), or cuda::thread_scope_device
