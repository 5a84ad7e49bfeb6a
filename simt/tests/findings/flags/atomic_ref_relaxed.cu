/* An access through cuda::atomic_ref states its order: the writer needs release, the reader acquire.
 * expect: race on __device__ data
 * resident: 2 */
#include "pair.h"

#include <cuda/atomic>

__device__ int data;
__device__ int ready;

__global__ void hand_over(int *out, bool faulty)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(ready);
    if (blockIdx.x == 0) {
        data = 42; //! write
        if (faulty)
            flag.store(1, cuda::std::memory_order_relaxed);
        else
            flag.store(1, cuda::std::memory_order_release);
    } else {
        while (flag.load(cuda::std::memory_order_acquire) == 0)
            ;
        *out = data; //! read
    }
}

PAIR(atomic_ref_relaxed)
{
    hand_over<<<2, 1>>>(zeros<int>(1), faulty);
}
