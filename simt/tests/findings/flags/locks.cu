/* Locks: the fences and barriers needed between taking and releasing one. */
#include "pair.h"

#include <cuda/atomic>

__device__ int lock, other_lock, total, other_total;
__device__ int serving, next_ticket;

/* Takes the lock, with a fence after it. */
__device__ void acquire(int *which)
{
    while (atomicCAS(which, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void release(int *which)
{
    __threadfence();
    atomicExch(which, 0);
}

/* The order of a successful exchange matters, not that of a failed one.
 * expect: no fence between the flag and __device__ total */
__global__ void take_by_exchange(bool faulty)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> taken(lock);
    int free = 0;
    while (!taken.compare_exchange_weak(free, 1,
                                        faulty ? cuda::memory_order_relaxed : cuda::memory_order_acquire,
                                        cuda::memory_order_relaxed))
        free = 0;
    total += 1; //! both
    taken.store(0, cuda::memory_order_release);
}
PAIR(lock_taken_by_a_relaxed_exchange)
{
    take_by_exchange<<<6, 1>>>(faulty);
}

/* A lock must be released by an atomic operation: a plain store to it races with the threads that try to take it.
 * expect: race on __device__ lock
 * also: race on __device__ total
 * also: no fence between the flag and __device__ total */
__global__ void give_back(bool faulty)
{
    while (atomicCAS(&lock, 0, 1) != 0) //! tries
        ;
    __threadfence();
    total += 1;
    __threadfence();
    if (faulty)
        lock = 0; //! gives back
    else
        atomicExch(&lock, 0);
}
PAIR(lock_given_back_plainly)
{
    give_back<<<6, 1>>>(faulty);
}

/* expect: race on __device__ other_total */
__global__ void give_back_too_early(bool faulty)
{
    acquire(&lock);
    total += 1;
    if (!faulty)
        other_total += 1;
    release(&lock);
    if (faulty)
        other_total += 1; //! both
}
PAIR(lock_given_back_before_the_last_write)
{
    give_back_too_early<<<6, 1>>>(faulty);
}

/* Two locks guard one variable, each for some of the blocks.
 * expect: race on __device__ total */
__global__ void take_one_of_two(bool faulty)
{
    int *mine = faulty && blockIdx.x % 2 ? &other_lock : &lock;
    acquire(mine);
    total += 1; //! both
    release(mine);
}
PAIR(lock_of_another_variable)
{
    take_one_of_two<<<6, 1>>>(faulty);
}

/* Each block holds the lock that the other needs.
 * expect: deadlock in take_both
 * resident: 2 */
__device__ int holders;
__global__ void take_both(bool faulty)
{
    int *first = faulty && blockIdx.x ? &other_lock : &lock, *second = first == &lock ? &other_lock : &lock;
    acquire(first);
    if (faulty) {
        atomicAdd(&holders, 1);
        while (atomicAdd(&holders, 0) != 2)
            ;
    }
    while (atomicCAS(second, 0, 1) != 0) //! waits
        ;
    __threadfence();
    total += 1;
    release(second);
    release(first);
}
PAIR(locks_taken_in_two_orders)
{
    take_both<<<2, 1>>>(faulty);
}

/* A thread returns while it holds the lock.
 * expect: deadlock in return_early */
__global__ void return_early(int limit)
{
    while (atomicCAS(&lock, 0, 1) != 0) //! waits
        ;
    __threadfence();
    if (total >= limit)
        return;
    total += 1;
    release(&lock);
}
PAIR(lock_never_given_back)
{
    return_early<<<6, 1>>>(faulty ? 2 : 6);
}

/* A ticket lock: the turn is read by a volatile access, which needs a fence after it.
 * expect: no fence between the flag and __device__ total */
__global__ void take_a_ticket(bool faulty)
{
    int ticket = atomicAdd(&next_ticket, 1);
    while (*(volatile int *)&serving != ticket)
        ;
    if (!faulty)
        __threadfence();
    total += 1; //! both
    __threadfence();
    atomicAdd(&serving, 1);
}
PAIR(lock_by_ticket_without_acquire)
{
    take_a_ticket<<<6, 1>>>(faulty);
}

/* In a ticket lock, the holder may set the next turn by a volatile store, which needs a fence before it.
 * expect: race on __device__ total */
__global__ void pass_the_turn(bool faulty)
{
    int ticket = atomicAdd(&next_ticket, 1);
    while (*(volatile int *)&serving != ticket)
        ;
    __threadfence();
    total += 1; //! both
    if (!faulty)
        __threadfence();
    *(volatile int *)&serving = ticket + 1;
}
PAIR(lock_by_ticket_without_release)
{
    pass_the_turn<<<6, 1>>>(faulty);
}

/* A look at the lock before trying to take it must be volatile, because other threads change the lock meanwhile.
 * expect: race on __device__ lock
 * also: no fence between the flag and __device__ lock
 * also: warning: a plain read of __device__ lock */
__global__ void look_first(int *waited, bool faulty)
{
    if (faulty ? lock != 0 : *(volatile int *)&lock != 0) //! looks
        waited[blockIdx.x] = 1;
    acquire(&lock);
    total += 1;
    release(&lock);
}
PAIR(lock_looked_at_plainly)
{
    look_first<<<6, 1>>>(zeros<int>(6), faulty);
}

/* One thread holds the lock for its block, so barriers are needed before and after the accesses of the other threads.
 * expect: race on */
__global__ void hold_for_the_block(int *bins, bool faulty)
{
    if (threadIdx.x == 0)
        acquire(&lock);
    __syncthreads();
    bins[threadIdx.x] += 1; //! both
    if (!faulty)
        __syncthreads();
    if (threadIdx.x == 0)
        release(&lock);
}
PAIR(lock_of_a_block_given_back_by_one_thread)
{
    hold_for_the_block<<<4, 64>>>(zeros<int>(64), faulty);
}

/* expect: race on */
__global__ void wait_for_the_block(int *bins, bool faulty)
{
    if (threadIdx.x == 0)
        acquire(&lock);
    if (!faulty)
        __syncthreads();
    bins[threadIdx.x] += 1; //! both
    __syncthreads();
    if (threadIdx.x == 0)
        release(&lock);
}
PAIR(lock_of_a_block_not_waited_for)
{
    wait_for_the_block<<<4, 64>>>(zeros<int>(64), faulty);
}

/* Many readers or one writer: the counter is -1 for a writer. Readers also release, to end their reads before a write.
 * expect: race on __device__ total */
__global__ void read_or_write(int *out, bool faulty)
{
    if (blockIdx.x % 2) {
        int readers;
        do
            readers = *(volatile int *)&lock;
        while (readers < 0 || atomicCAS(&lock, readers, readers + 1) != readers);
        __threadfence();
        out[blockIdx.x] = total; //! reads
        if (!faulty)
            __threadfence();
        atomicSub(&lock, 1);
    } else {
        while (atomicCAS(&lock, 0, -1) != 0)
            ;
        __threadfence();
        total += 1; //! writes
        release(&lock);
    }
}
PAIR(lock_of_readers_without_release)
{
    for (int i = 0; i < 2; i++)
        read_or_write<<<8, 1>>>(zeros<int>(8), faulty);
}

/* expect: race on __device__ total */
__global__ void read_without_lock(int *out, bool faulty)
{
    if (blockIdx.x == 0) {
        acquire(&lock);
        total += 1; //! writes
        release(&lock);
    } else if (faulty) {
        out[blockIdx.x] = total; //! reads
    } else {
        acquire(&lock);
        out[blockIdx.x] = total;
        release(&lock);
    }
}
PAIR(lock_of_writers_only)
{
    read_without_lock<<<4, 1>>>(zeros<int>(4), faulty);
}

/* Made once, by the first block; the others read the mark, and need a fence after it.
 * expect: no fence between the flag and __device__ table */
__device__ int table, made;
__global__ void make_once(int *out, bool faulty)
{
    if (*(volatile int *)&made == 0) {
        acquire(&lock);
        if (*(volatile int *)&made == 0) {
            table = 42; //! makes
            __threadfence();
            *(volatile int *)&made = 1;
        }
        release(&lock);
    }
    if (!faulty)
        __threadfence();
    out[blockIdx.x] = table; //! uses
}
PAIR(lock_looked_past_without_acquire)
{
    make_once<<<4, 1>>>(zeros<int>(4), faulty);
}

/* A queue of waiting blocks (Mellor-Crummey and Scott): each waits at its own node for the block before it.
 * expect: race on __device__ total */
__device__ int tail, behind[8], waits[8];
__global__ void queue_up(bool faulty)
{
    int me = (int)blockIdx.x + 1, before;
    *(volatile int *)&behind[me] = 0;
    *(volatile int *)&waits[me] = 1;
    __threadfence();
    before = atomicExch(&tail, me);
    if (before != 0) {
        __threadfence();
        *(volatile int *)&behind[before] = me;
        while (*(volatile int *)&waits[me])
            ;
    }
    __threadfence();
    total += 1; //! both
    if (!faulty)
        __threadfence();
    if (*(volatile int *)&behind[me] == 0) {
        if (atomicCAS(&tail, me, 0) == me)
            return;
        while (*(volatile int *)&behind[me] == 0)
            ;
    }
    *(volatile int *)&waits[*(volatile int *)&behind[me]] = 0;
}
PAIR(lock_by_queue_without_release)
{
    queue_up<<<6, 1>>>(faulty);
}

/* Lanes of one warp take turns at the lock in a loop that all of them leave together.
 * expect: race on __device__ total */
__global__ void lanes_take_turns(bool faulty)
{
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            total += 1; //! both
            if (!faulty)
                __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
PAIR(lock_between_lanes)
{
    lanes_take_turns<<<1, 32>>>(faulty);
}

/* A lock taken by an atomic operation of block scope does not exclude other blocks.
 * expect: race on __device__ lock
 * also: race on __device__ total */
__global__ void take_narrow(bool faulty)
{
    if (faulty) {
        while (atomicCAS_block(&lock, 0, 1) != 0) //! both
            ;
        __threadfence();
        total += 1;
        __threadfence();
        atomicExch_block(&lock, 0);
    } else {
        acquire(&lock);
        total += 1;
        release(&lock);
    }
}
PAIR(lock_of_block_scope)
{
    take_narrow<<<4, 1>>>(faulty);
}

/* Two threads with Peterson's lock: flags and a turn, in sequentially consistent order.
 * expect: race on __device__ total
 * resident: 2 */
__device__ cuda::atomic<int, cuda::thread_scope_device> wants[2], turn;
__global__ void take_by_peterson(bool faulty)
{
    int me = blockIdx.x;
    wants[me].store(1);
    turn.store(1 - me);
    while (wants[1 - me].load() && turn.load() == 1 - me)
        ;
    total += 1; //! both
    wants[me].store(0, faulty ? cuda::memory_order_relaxed : cuda::memory_order_release);
}
PAIR(lock_by_peterson)
{
    take_by_peterson<<<2, 1>>>(faulty);
}

/* The version is odd during a write, and readers try again. The data must be atomic, because it is read during a write.
 * expect: race on __device__ pages
 * resident: 2 */
__device__ int version, looked, pages[2];
__global__ void read_a_version(int *out, bool faulty)
{
    typedef cuda::atomic_ref<int, cuda::thread_scope_device> ref;
    if (blockIdx.x == 0) {
        ref(version).store(1, cuda::memory_order_relaxed);
        __threadfence();
        while (ref(looked).load(cuda::memory_order_relaxed) == 0) /* so that a reader finds the odd version */
            ;
        for (int i = 0; i < 2; i++)
            if (faulty)
                pages[i] = 7; //! writes
            else
                ref(pages[i]).store(7, cuda::memory_order_relaxed);
        __threadfence();
        ref(version).store(2, cuda::memory_order_relaxed);
        return;
    }
    int before, left, right;
    do {
        before = ref(version).load(cuda::memory_order_acquire);
        left = ref(pages[0]).load(cuda::memory_order_relaxed); //! reads
        right = ref(pages[1]).load(cuda::memory_order_relaxed);
        ref(looked).store(1, cuda::memory_order_relaxed);
        __threadfence();
    } while (before % 2 || ref(version).load(cuda::memory_order_relaxed) != before);
    out[0] = left + right;
}
PAIR(lock_by_version)
{
    read_a_version<<<2, 1>>>(zeros<int>(1), faulty);
}
