/* Data and flag are both relaxed atomics: no order is promised without a fence between them.
 * expect: no fence between the flag and __device__ data */
#include "pair.h"
#include <cuda/atomic>

typedef cuda::atomic_ref<int, cuda::thread_scope_device> shared_int;

__device__ int data[8];
__device__ int flag[8];
__device__ int ticket;

__global__ void hand_on(int *out, bool faulty)
{
    int block = atomicAdd(&ticket, 1);
    if (block > 0) {
        while (shared_int(flag[block - 1]).load(cuda::memory_order_relaxed) == 0)
            ;
        if (!faulty)
            __threadfence();
        out[block] = shared_int(data[block - 1]).load(cuda::memory_order_relaxed); //! read
    }
    shared_int(data[block]).store(block + 1, cuda::memory_order_relaxed); //! write
    if (!faulty)
        __threadfence();
    shared_int(flag[block]).store(1, cuda::memory_order_relaxed);
}

PAIR(relaxed_data_behind_a_flag)
{
    hand_on<<<8, 1>>>(zeros<int>(8), faulty);
}
