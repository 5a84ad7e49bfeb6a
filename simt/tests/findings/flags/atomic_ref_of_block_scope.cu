/* An atomic operation of block scope is not atomic between blocks.
 * expect: race on __device__ total */
#include "pair.h"

#include <cuda/atomic>

__device__ int total;

__global__ void count(bool faulty)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> narrow(total);
    cuda::atomic_ref<int, cuda::thread_scope_device> wide(total);
    if (faulty)
        narrow.fetch_add(1, cuda::std::memory_order_relaxed); //! atomic
    else
        wide.fetch_add(1, cuda::std::memory_order_relaxed);
}

PAIR(atomic_ref_of_block_scope)
{
    count<<<4, 32>>>(faulty);
}
