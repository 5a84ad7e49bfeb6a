/* A hundred blocks read a word, which are more than the check records. The faulty one writes it without waiting for them,
 * the right one is the last to come.
 * expect: race on byte 0 of an allocation */
#include "pair.h"

__global__ void renew(int *word, unsigned *count, int *out, bool faulty)
{
    const bool is_end = blockIdx.x == gridDim.x - 1;
    out[blockIdx.x]   = word[0]; //! read
    if (faulty && is_end)
        word[0] = 7; //! write
    __threadfence();
    const bool is_last = atomicAdd(count, 1) == gridDim.x - 1;
    __threadfence();
    if (!faulty && is_last)
        word[0] = 7;
}

PAIR(read_by_a_hundred_blocks)
{
    renew<<<100, 1>>>(zeros<int>(1), zeros<unsigned>(1), zeros<int>(100), faulty);
}

//= read_by_a_hundred_blocks.cu:11  renew: race on byte 0 of an allocation
//=     thread 0 of block 0 reads it at line 9, thread 0 of block 99 writes it at line 11, and nothing orders blocks of one launch
//=     try: end the kernel between the two: a second launch sees all that the first one wrote
