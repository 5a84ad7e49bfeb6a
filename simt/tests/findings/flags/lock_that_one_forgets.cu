/* All blocks except one take the lock.
 * expect: race on __device__ total */
#include "pair.h"

__device__ int lock;
__device__ int total;

__global__ void add(bool faulty)
{
    bool locked = !faulty || blockIdx.x != 2;
    while (locked && atomicCAS(&lock, 0, 1) != 0)
        ;
    __threadfence();
    total += 1; //! both
    __threadfence();
    if (locked)
        atomicExch(&lock, 0);
}

PAIR(lock_that_one_forgets)
{
    add<<<6, 1>>>(faulty);
}
