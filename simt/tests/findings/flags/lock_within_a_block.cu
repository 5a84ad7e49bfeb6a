/* Threads of one block share a lock in shared memory; each needs a fence that covers its own accesses.
 * expect: race on shared total */
#include "pair.h"

__global__ void add(int *out, bool faulty)
{
    __shared__ int lock, total;
    if (threadIdx.x == 0)
        lock = total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        if (!faulty)
            total += 1;
        __threadfence_block();
        atomicExch(&lock, 0);
        if (faulty)
            total += 1; //! both
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = total;
}

PAIR(lock_within_a_block)
{
    add<<<1, 128>>>(zeros<int>(1), faulty);
}
