/* __threadfence_block() orders accesses only for the same block; a reader in another one needs __threadfence().
 * expect: race on __device__ data
 * resident: 2 */
#include "pair.h"

__device__ int data;
__device__ volatile int ready;

__global__ void hand_over(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 42; //! write
        if (faulty)
            __threadfence_block();
        else
            __threadfence();
        ready = 1;
    } else {
        while (ready == 0)
            ;
        __threadfence();
        *out = data; //! read
    }
}

PAIR(flag_of_narrow_fence)
{
    hand_over<<<2, 1>>>(zeros<int>(1), faulty);
}

//= flag_of_narrow_fence.cu:22  hand_over: race on __device__ data
//=     thread 0 of block 0 writes it at line 12, thread 0 of block 1 reads it at line 22, and the fence before the flag that line 17 sets orders for its own block only
//=     try: __threadfence(), not __threadfence_block(): the reader is in another block
