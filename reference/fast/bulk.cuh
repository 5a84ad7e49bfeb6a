/* bulk.cuh: copies between global and shared memory that the copy engine of a multiprocessor makes while its threads
 * work (compute capability 9.0). Addresses and lengths are multiples of 16 bytes.
 *
 * The CPU device, and GPUs before 9.0, have none: there FAST_HAS_BULK is 0, and kernels copy by their threads. */
#ifndef FAST_BULK_CUH
#define FAST_BULK_CUH

#include <cuda_runtime.h>

#if !defined(__SIMT__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
#define FAST_HAS_BULK 1

typedef unsigned long long bulk_barrier;

static __device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* By one thread, before any other uses it; then a __syncthreads(). */
static __device__ __forceinline__ void bulk_barrier_begin(bulk_barrier *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* One thread starts a load. What others did with that shared memory must be over: a __syncthreads() between. */
static __device__ __forceinline__ void bulk_load(void *shared, const void *global, unsigned bytes,
                                                 bulk_barrier *barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(shared)),
        "l"(global), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}

/* Waits until the load number 0, 1, 2 ... on this barrier is done. */
static __device__ __forceinline__ void bulk_wait_load(bulk_barrier *barrier, unsigned number)
{
    unsigned done;
    do
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(shared_address(barrier)), "r"(number & 1)
            : "memory");
    while (!done);
}

/* Each thread that wrote what a bulk store will read, before the __syncthreads() ahead of it. */
static __device__ __forceinline__ void bulk_publish()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* One thread starts a store. */
static __device__ __forceinline__ void bulk_store(void *global, const void *shared, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
                 "r"(shared_address(shared)), "r"(bytes)
                 : "memory");
}

/* It ends a group of stores, maybe of none; and waits until all but the last `pending` groups have been read. */
static __device__ __forceinline__ void bulk_end_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int pending> static __device__ __forceinline__ void bulk_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

#else
#define FAST_HAS_BULK 0
#endif
#endif
