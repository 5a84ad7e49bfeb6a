/* Synchronization of a grid's blocks: barriers of counters and flags, and the last block. See lookbacks.cu too. */
#include "pair.h"

#include <cooperative_groups.h>

enum { BLOCKS = 4, THREADS = 64 };

__device__ int arrived, sense, generation;

/* The correct barrier of this file; all blocks are resident. */
__device__ void meet(int blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < blocks)
            ;
        __threadfence();
    }
    __syncthreads();
}

__device__ unsigned mine()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* The element that the same thread of the next block writes. */
__device__ unsigned theirs()
{
    return (mine() + blockDim.x) % (gridDim.x * blockDim.x);
}

/* One thread reports the arrival of its block while the other threads still write.
 * expect: race on
 * resident: 4 */
__global__ void arrive_alone(int *data, int *out, bool faulty)
{
    data[mine()] = 1; //! writes
    if (!faulty)
        __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < BLOCKS)
            ;
        __threadfence();
    }
    __syncthreads();
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_that_one_thread_arrives_at)
{
    arrive_alone<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS), faulty);
}

/* One thread waits, but the others of its block continue.
 * expect: race on
 * resident: 4 */
__global__ void wait_alone(int *data, int *out, bool faulty)
{
    data[mine()] = 1; //! writes
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < BLOCKS)
            ;
        __threadfence();
    }
    if (!faulty)
        __syncthreads();
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_that_one_thread_waits_for)
{
    wait_alone<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS), faulty);
}

/* expect: race on
 * resident: 4 */
__global__ void arrive_without_fence(int *data, int *out, bool faulty)
{
    data[mine()] = 1; //! writes
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!faulty)
            __threadfence();
        atomicAdd(&arrived, 1);
        while (*(volatile int *)&arrived < BLOCKS)
            ;
        __threadfence();
    }
    __syncthreads();
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_without_release)
{
    arrive_without_fence<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS),
                                              faulty);
}

/* expect: no fence between the flag and
 * also: warning: no fence between the ticket and
 * resident: 4 */
__global__ void leave_without_fence(int *data, int *out, bool faulty)
{
    data[mine()] = 1; //! writes
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (*(volatile int *)&arrived < BLOCKS)
            ;
        if (!faulty)
            __threadfence();
    }
    __syncthreads();
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_without_acquire)
{
    leave_without_fence<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS),
                                             faulty);
}

/* The count continues from the last barrier, so blocks do not wait at the second one.
 * expect: race on
 * resident: 4 */
__global__ void meet_twice(int *data, int *out, bool faulty)
{
    meet(BLOCKS);
    data[mine()] = 1; //! writes
    meet(faulty ? BLOCKS : 2 * BLOCKS);
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_counted_from_the_last_one)
{
    meet_twice<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS), faulty);
}

/* expect: deadlock in meet_with_more
 * also: deadlock in meet
 * resident: 4 */
__global__ void meet_with_more(bool faulty)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < (faulty ? BLOCKS + 1 : BLOCKS)) //! waits
            ;
    }
}
PAIR(meeting_with_a_block_too_many)
{
    meet_with_more<<<BLOCKS, THREADS>>>(faulty);
}

/* A barrier with a sense that alternates: the count must be reset before the sense lets the others continue.
 * expect: race on __device__ arrived
 * also: deadlock in meet_by_sense
 * resident: 4 */
__device__ void meet_by_sense(bool faulty, int turn)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&arrived, 1) == BLOCKS - 1) { //! arrives
            if (!faulty)
                atomicExch(&arrived, 0);
            __threadfence();
            *(volatile int *)&sense = turn;
            if (faulty)
                arrived = 0; //! sets back
        } else {
            while (*(volatile int *)&sense != turn)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}
__global__ void iterate_by_sense(bool faulty)
{
    for (int turn = 1; turn <= 2; turn++)
        meet_by_sense(faulty, turn % 2);
}
PAIR(meeting_by_sense_set_back_late)
{
    iterate_by_sense<<<BLOCKS, THREADS>>>(faulty);
}

/* A master waits for each block's flag, with a thread for each, and releases all: a barrier joins what they have seen.
 * expect: race on
 * resident: 4 */
__device__ volatile int here[BLOCKS], go[BLOCKS];
__global__ void meet_by_flags(int *data, int *out, bool faulty)
{
    data[mine()] = 1; //! writes
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0)
        here[blockIdx.x] = 1;
    if (blockIdx.x == 0) {
        if (threadIdx.x < BLOCKS) {
            while (here[threadIdx.x] == 0)
                ;
            __threadfence();
        }
        if (!faulty)
            __syncthreads();
        if (threadIdx.x >= 32 && threadIdx.x < 32 + BLOCKS) {
            __threadfence();
            go[threadIdx.x - 32] = 1;
        }
    }
    if (threadIdx.x == 0) {
        while (go[blockIdx.x] == 0)
            ;
        __threadfence();
    }
    __syncthreads();
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_by_flags_of_a_master)
{
    meet_by_flags<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS), faulty);
}

/* In round r a block is signalled by the one 2^r before it: with one round too few, it has no order with some blocks.
 * expect: race on
 * resident: 4 */
__device__ volatile int heard[2][BLOCKS];
__global__ void meet_by_rounds(int *data, int *out, bool faulty)
{
    data[mine()] = 1; //! writes
    for (int round = 0; round < (faulty ? 1 : 2); round++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            heard[round][(blockIdx.x + (1 << round)) % BLOCKS] = 1;
            while (heard[round][blockIdx.x] == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
    out[mine()] = data[theirs()]; //! reads
}
PAIR(meeting_by_a_round_too_few)
{
    meet_by_rounds<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(BLOCKS * THREADS), faulty);
}

/* A step of an iteration has two halves: all read, synchronize, write, synchronize.
 * expect: race on */
__global__ void smooth(int *data, bool faulty)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int step = 0; step < 2; step++) {
        int next = data[mine()] + data[theirs()]; //! reads
        if (!faulty)
            grid.sync();
        data[mine()] = next; //! writes
        grid.sync();
    }
}
PAIR(meeting_once_a_step)
{
    int *data = zeros<int>(BLOCKS * THREADS);
    void *arguments[] = {&data, &faulty};
    must(cudaLaunchCooperativeKernel((void *)smooth, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
}

/* Shared memory tells all threads whether their block is the last, which needs a barrier.
 * expect: race on shared is_last
 * also: read of uninitialized shared is_last
 * also: race on
 * also: warning: the same value */
__global__ void tell_the_last(int *parts, int *out, bool faulty)
{
    __shared__ int is_last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = 1;
        __threadfence();
        is_last = atomicAdd(&arrived, 1) == BLOCKS - 1; //! tells
        __threadfence();
    }
    if (!faulty)
        __syncthreads();
    if (is_last && threadIdx.x < BLOCKS) //! asks
        out[threadIdx.x] = parts[threadIdx.x];
}
PAIR(last_block_asked_too_early)
{
    tell_the_last<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS), zeros<int>(BLOCKS), faulty);
}

/* Each thread fences its own writes, and after the barrier one thread takes the ticket. A thread that fences before the
 * barrier for all others has fenced only its own writes.
 * expect: race on */
__global__ void fence_for_all(int *parts, int *out, bool faulty)
{
    __shared__ bool is_last;
    parts[mine()] = 1; //! writes
    if (!faulty || threadIdx.x == 0)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&arrived, 1) == BLOCKS - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    out[threadIdx.x] = parts[theirs()]; //! reads
}
PAIR(last_block_fenced_by_one_thread)
{
    fence_for_all<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS * THREADS), zeros<int>(THREADS), faulty);
}

/* A tree from the leaves up: the second of two children to arrive continues, and needs what the first one wrote.
 * expect: race on
 * also: no fence between the flag and */
__global__ void climb(int *sums, int *visits, bool faulty)
{
    unsigned node = blockIdx.x + gridDim.x;
    sums[node] = 1; //! a leaf
    while (node > 1) {
        if (!faulty)
            __threadfence();
        node /= 2;
        if (atomicAdd(&visits[node], 1) == 0)
            return;
        if (!faulty)
            __threadfence();
        sums[node] = sums[2 * node] + sums[2 * node + 1]; //! adds up
    }
}
PAIR(last_child_of_a_tree)
{
    climb<<<2, 1>>>(zeros<int>(4), zeros<int>(4), faulty);
}

/* The ticket counts blocks, but a ticket of block scope does not count other blocks.
 * expect: race on __device__ arrived
 * also: race on */
__global__ void draw_narrow(int *parts, int *out, bool faulty)
{
    parts[blockIdx.x] = 1;
    __threadfence();
    int before = faulty ? atomicAdd_block(&arrived, 1) : atomicAdd(&arrived, 1); //! draws
    __threadfence();
    if (before == BLOCKS - 1)
        for (int i = 0; i < BLOCKS; i++)
            *out += parts[i];
}
PAIR(last_block_by_a_narrow_ticket)
{
    draw_narrow<<<BLOCKS, 1>>>(zeros<int>(BLOCKS), zeros<int>(1), faulty);
}

/* The last block resets the flags for the next launch, which it may do only after all have read them.
 * expect: race on
 * resident: 4 */
__global__ void chain_and_reset(volatile int *flags, int *sums, bool faulty)
{
    int tile = atomicAdd(&arrived, 1);
    if (tile > 0) {
        while (flags[tile - 1] == 0)
            ;
        __threadfence();
    }
    sums[tile] = (tile > 0 ? sums[tile - 1] : 0) + 1; //! reads
    __threadfence();
    flags[tile] = 1;
    if (faulty) {
        if (tile == 0)
            for (int i = 1; i < BLOCKS; i++)
                sums[i] = 0; //! resets
    } else if (atomicAdd(&sense, 1) == BLOCKS - 1) {
        __threadfence();
        for (int i = 0; i < BLOCKS; i++)
            sums[i] = 0;
    }
}
PAIR(lookback_reset_too_early)
{
    chain_and_reset<<<BLOCKS, 1>>>(zeros<int>(BLOCKS), zeros<int>(BLOCKS), faulty);
}
