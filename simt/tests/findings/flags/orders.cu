/* cuda::atomic, atomic_ref and atomic_thread_fence: which order, and in which scope, makes data visible to others. */
#include "pair.h"

#include <cuda/atomic>

using cuda::atomic_thread_fence;
using cuda::thread_scope_block;
using cuda::thread_scope_device;
using cuda::thread_scope_system;
using cuda::std::memory_order_acq_rel;
using cuda::std::memory_order_acquire;
using cuda::std::memory_order_relaxed;
using cuda::std::memory_order_release;
using cuda::std::memory_order_seq_cst;

typedef cuda::atomic_ref<int, thread_scope_device> device_ref;

__device__ cuda::atomic<int, thread_scope_device> ready;
__device__ int data, flag;

/* expect: no fence between the flag and __device__ data
 * resident: 2 */
__global__ void load_relaxed(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1; //! writes
        ready.store(1, memory_order_release);
    } else {
        while (ready.load(faulty ? memory_order_relaxed : memory_order_acquire) == 0)
            ;
        *out = data; //! reads
    }
}
PAIR(order_relaxed_load)
{
    load_relaxed<<<2, 1>>>(zeros<int>(1), faulty);
}

/* A fence turns the relaxed store after it into a release, but not the store before it.
 * expect: race on __device__ data
 * resident: 2 */
__global__ void fence_after_store(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1; //! writes
        if (!faulty)
            atomic_thread_fence(memory_order_release, thread_scope_device);
        ready.store(1, memory_order_relaxed);
        if (faulty)
            atomic_thread_fence(memory_order_release, thread_scope_device);
    } else {
        while (ready.load(memory_order_acquire) == 0)
            ;
        *out = data; //! reads
    }
}
PAIR(order_fence_after_the_store)
{
    fence_after_store<<<2, 1>>>(zeros<int>(1), faulty);
}

/* expect: no fence between the flag and __device__ data
 * resident: 2 */
__global__ void fence_before_load(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1; //! writes
        ready.store(1, memory_order_release);
    } else {
        if (faulty)
            atomic_thread_fence(memory_order_acquire, thread_scope_device);
        while (ready.load(memory_order_relaxed) == 0)
            ;
        if (!faulty)
            atomic_thread_fence(memory_order_acquire, thread_scope_device);
        *out = data; //! reads
    }
}
PAIR(order_fence_before_the_load)
{
    fence_before_load<<<2, 1>>>(zeros<int>(1), faulty);
}

/* expect: race on __device__ data
 * resident: 2 */
__global__ void narrow_writer(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1; //! writes
        if (faulty)
            atomic_thread_fence(memory_order_seq_cst, thread_scope_block);
        else
            atomic_thread_fence(memory_order_seq_cst, thread_scope_device);
        ready.store(1, memory_order_relaxed);
    } else {
        while (ready.load(memory_order_acquire) == 0)
            ;
        *out = data; //! reads
    }
}
PAIR(order_narrow_fence_of_the_writer)
{
    narrow_writer<<<2, 1>>>(zeros<int>(1), faulty);
}

/* expect: no fence between the flag and __device__ data
 * resident: 2 */
__global__ void narrow_reader(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1; //! writes
        ready.store(1, memory_order_release);
    } else {
        while (ready.load(memory_order_relaxed) == 0)
            ;
        if (faulty)
            atomic_thread_fence(memory_order_acquire, thread_scope_block);
        else
            atomic_thread_fence(memory_order_acquire, thread_scope_system);
        *out = data; //! reads
    }
}
PAIR(order_narrow_fence_of_the_reader)
{
    narrow_reader<<<2, 1>>>(zeros<int>(1), faulty);
}

/* A flag of block scope in global memory is right only if both threads are in one block.
 * expect: race on
 * also: no fence between the flag and
 * resident: 2 */
__global__ void within_a_block(int *out)
{
    cuda::atomic_ref<int, thread_scope_block> near(flag);
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        data = 1; //! writes
        near.store(1, memory_order_release);
    } else if (i == 32) {
        while (near.load(memory_order_acquire) == 0)
            ;
        *out = data; //! reads
    }
}
PAIR(order_flag_of_block_scope)
{
    within_a_block<<<faulty ? 2 : 1, faulty ? 32 : 64>>>(zeros<int>(1));
}

/* The same with atomicExch_block() and a block fence.
 * expect: race on
 * also: no fence between the flag and
 * resident: 2 */
__global__ void within_a_block_by_functions(int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        data = 1; //! writes
        __threadfence_block();
        atomicExch_block(&flag, 1);
    } else if (i == 32) {
        while (atomicAdd_block(&flag, 0) == 0)
            ;
        __threadfence_block();
        *out = data; //! reads
    }
}
PAIR(order_exchange_of_block_scope)
{
    within_a_block_by_functions<<<faulty ? 2 : 1, faulty ? 32 : 64>>>(zeros<int>(1));
}

/* Some blocks add with device scope, others with block scope: the two kinds are not atomic to each other.
 * expect: race on __device__ data */
__global__ void two_scopes(bool faulty)
{
    if (faulty && blockIdx.x % 2)
        atomicAdd_block(&data, 1); //! narrow
    else
        atomicAdd(&data, 1); //! wide
}
PAIR(order_atomics_of_two_scopes)
{
    two_scopes<<<4, 1>>>(faulty);
}

/* An exchange with both orders receives and passes on data, from block to block.
 * expect: race on __device__ data
 * also: no fence between the flag and __device__ data
 * resident: 4 */
__global__ void hand_around(bool faulty)
{
    device_ref turn(flag);
    int expected = blockIdx.x;
    while (!turn.compare_exchange_strong(expected, -1, faulty ? memory_order_relaxed : memory_order_acq_rel,
                                         memory_order_relaxed))
        expected = blockIdx.x;
    data += 1; //! both
    turn.exchange((int)blockIdx.x + 1, faulty ? memory_order_relaxed : memory_order_acq_rel);
}
PAIR(order_exchanged_around)
{
    hand_around<<<4, 1>>>(faulty);
}

/* A release sequence: read-modify-writes of other threads, even relaxed ones, pass on what the first store released.
 * expect: race on __device__ data
 * resident: 4 */
__global__ void count_down(int *out, bool faulty)
{
    device_ref counter(flag);
    if (blockIdx.x < 3) {
        if (blockIdx.x == 0)
            data = 1; //! writes
        counter.fetch_add(1, blockIdx.x == 0 && !faulty ? memory_order_release : memory_order_relaxed);
    } else {
        while (counter.load(memory_order_acquire) != 3)
            ;
        *out = data; //! reads
    }
}
PAIR(order_release_passed_by_additions)
{
    count_down<<<4, 1>>>(zeros<int>(1), faulty);
}

/* Two flags: an acquire of one gives no order with the writer of the other.
 * expect: race on
 * resident: 3 */
__device__ cuda::atomic<int, thread_scope_device> flags[2];
__global__ void wait_for_both(int *parts, int *out, bool faulty)
{
    if (blockIdx.x < 2) {
        parts[blockIdx.x] = 1; //! writes
        flags[blockIdx.x].store(1, memory_order_release);
    } else {
        while (flags[0].load(memory_order_acquire) == 0)
            ;
        if (!faulty)
            while (flags[1].load(memory_order_acquire) == 0)
                ;
        *out = parts[0] + parts[1]; //! reads
    }
}
PAIR(order_one_flag_of_two)
{
    wait_for_both<<<3, 1>>>(zeros<int>(2), zeros<int>(1), faulty);
}

/* A block that got the flag passes it on: release and acquire are transitive, but not across a relaxed store.
 * expect: race on __device__ data
 * also: no fence between the flag and __device__ data
 * resident: 3 */
__global__ void through_a_second(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1; //! writes
        flags[0].store(1, memory_order_release);
    } else if (blockIdx.x == 1) {
        while (flags[0].load(memory_order_acquire) == 0)
            ;
        flags[1].store(1, faulty ? memory_order_relaxed : memory_order_release);
    } else {
        while (flags[1].load(memory_order_acquire) == 0)
            ;
        *out = data; //! reads
    }
}
PAIR(order_relaxed_in_between)
{
    through_a_second<<<3, 1>>>(zeros<int>(1), faulty);
}

/* Operators of a cuda::atomic are sequentially consistent; those of an int are not atomic at all.
 * expect: race on __device__ flag */
__global__ void by_operators(bool faulty)
{
    if (faulty)
        flag++; //! both
    else
        ready++;
}
PAIR(order_operators_of_an_int)
{
    by_operators<<<4, 1>>>(faulty);
}

/* An atomic load and a plain store of the same variable.
 * expect: race on __device__ flag */
__global__ void load_beside_plain(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        if (faulty)
            flag = 1; //! stores
        else
            device_ref(flag).store(1, memory_order_relaxed);
    } else {
        out[blockIdx.x] = device_ref(flag).load(memory_order_relaxed); //! loads
    }
}
PAIR(order_plain_store_beside_loads)
{
    load_beside_plain<<<3, 1>>>(zeros<int>(3), faulty);
}

/* The data is written once more after the release.
 * expect: race on __device__ data
 * resident: 2 */
__global__ void write_again(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1;
        if (!faulty)
            data = 2;
        ready.store(1, memory_order_release);
        if (faulty)
            data = 2; //! writes
    } else {
        while (ready.load(memory_order_acquire) == 0)
            ;
        *out = data; //! reads
    }
}
PAIR(order_written_again_after_release)
{
    write_again<<<2, 1>>>(zeros<int>(1), faulty);
}

/* The reader's answer releases its read: only after it may the writer write again.
 * expect: race on __device__ data
 * resident: 2 */
__global__ void write_after_answer(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        data = 1;
        flags[0].store(1, memory_order_release);
        while (flags[1].load(memory_order_acquire) == 0)
            ;
        data = 2; //! writes
    } else {
        while (flags[0].load(memory_order_acquire) == 0)
            ;
        *out = data; //! reads
        flags[1].store(1, faulty ? memory_order_relaxed : memory_order_release);
    }
}
PAIR(order_answer_without_release)
{
    write_after_answer<<<2, 1>>>(zeros<int>(1), faulty);
}

/* A pointer is published, and the data that it points to must be published with it.
 * expect: race on
 * resident: 2 */
__device__ cuda::atomic<int *, thread_scope_device> published;
__global__ void publish_a_pointer(int *slot, int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        *slot = 1; //! writes
        published.store(slot, faulty ? memory_order_relaxed : memory_order_release);
    } else {
        int *seen;
        while ((seen = published.load(memory_order_acquire)) == nullptr)
            ;
        *out = *seen; //! reads
    }
}
PAIR(order_pointer_published_too_loosely)
{
    publish_a_pointer<<<2, 1>>>(zeros<int>(1), zeros<int>(1), faulty);
}

/* A flag in shared memory between warps: release and acquire of block scope are enough, relaxed is not.
 * expect: race on shared value */
__global__ void between_warps(int *out, bool faulty)
{
    __shared__ int value, set;
    if (threadIdx.x == 0)
        set = 0;
    __syncthreads();
    cuda::atomic_ref<int, thread_scope_block> near(set);
    if (threadIdx.x == 0) {
        value = 1; //! writes
        near.store(1, faulty ? memory_order_relaxed : memory_order_release);
    } else if (threadIdx.x == 32) {
        while (near.load(memory_order_acquire) == 0)
            ;
        *out = value; //! reads
    }
}
PAIR(order_between_warps)
{
    between_warps<<<1, 64>>>(zeros<int>(1), faulty);
}
