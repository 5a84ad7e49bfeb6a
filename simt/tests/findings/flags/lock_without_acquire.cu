/* A lock needs a fence after it is taken. A missing fence is a race.
 * expect: no fence between the flag and __device__ total */
#include "pair.h"

__device__ int lock;
__device__ int total;

__global__ void add(bool faulty)
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    if (!faulty)
        __threadfence();
    total += 1; //! both
    __threadfence();
    atomicExch(&lock, 0);
}

PAIR(lock_without_acquire)
{
    add<<<6, 1>>>(faulty);
}
