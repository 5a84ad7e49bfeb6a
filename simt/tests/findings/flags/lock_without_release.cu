/* A lock needs a fence before it is released, or the next owner may not see the writes made under it.
 * expect: race on __device__ total */
#include "pair.h"

__device__ int lock;
__device__ int total;

__global__ void add(bool faulty)
{
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    __threadfence();
    total += 1; //! both
    if (!faulty)
        __threadfence();
    atomicExch(&lock, 0);
}

PAIR(lock_without_release)
{
    add<<<6, 1>>>(faulty);
}
