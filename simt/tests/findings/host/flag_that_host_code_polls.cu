/* Host code waits for a kernel by polling a flag in managed memory. Atomic operations on both sides make that right. A
 * plain read of the data by host code that has not polled races with the kernel.
 * expect: race on */
#include "pair.h"

#include <cuda/atomic>

__global__ void produce(int *data, int *flag)
{
    *data = 42; //! write
    __threadfence_system();
    atomicExch_system(flag, 1);
}

static void wait_for(int *flag)
{
    cuda::atomic_ref<int, cuda::thread_scope_system> shared(*flag);
    while (shared.load(cuda::memory_order_acquire) == 0)
        ;
    if (shared.fetch_add(2) != 1 || shared.exchange(5) != 3 || shared.fetch_max(4) != 5)
        printf("a host operation is wrong\n");
    int expected = 5;
    if (!shared.compare_exchange_strong(expected, 7) || shared.compare_exchange_strong(expected, 8) || expected != 7)
        printf("a host comparison is wrong\n");
}

PAIR(flag_that_host_code_polls)
{
    int *shared;
    must(cudaMallocManaged((void **)&shared, 2 * sizeof(int)));
    shared[0] = shared[1] = 0;
    produce<<<1, 1>>>(&shared[0], &shared[1]);
    if (!faulty)
        wait_for(&shared[1]);
    printf("%d\n", shared[0]); //! read
}
