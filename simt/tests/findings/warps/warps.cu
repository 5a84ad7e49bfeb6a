/* Warps of a block and lanes of a warp: queues, turns, masks and groups. */
#include "pair.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* One warp fills a ring and the other empties it. The elements before the head must be visible.
 * expect: race on shared ring
 * also: no fence between the flag and shared ring */
__global__ void fill_a_ring(int *out, bool faulty)
{
    __shared__ int ring[4];
    __shared__ volatile int head, tail;
    if (threadIdx.x == 0)
        head = tail = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < 12; i++) {
            while (i - tail == 4)
                ;
            __threadfence_block();
            ring[i % 4] = i; //! fills
            if (!faulty)
                __threadfence_block();
            head = i + 1;
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < 12; i++) {
            while (head <= i)
                ;
            __threadfence_block();
            out[i] = ring[i % 4]; //! empties
            __threadfence_block();
            tail = i + 1;
        }
    }
}
PAIR(warp_ring_without_release)
{
    fill_a_ring<<<1, 64>>>(zeros<int>(12), faulty);
}

/* The writer must wait until the elements before the tail have been read, but it ignores the tail.
 * expect: race on shared ring
 * also: warning: */
__global__ void overfill_a_ring(int *out, bool faulty)
{
    __shared__ int ring[4];
    __shared__ volatile int head, tail;
    if (threadIdx.x == 0)
        head = tail = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < 12; i++) {
            while (!faulty && i - tail == 4)
                ;
            __threadfence_block();
            ring[i % 4] = i; //! fills
            __threadfence_block();
            head = i + 1;
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < 12; i++) {
            while (head <= i)
                ;
            __threadfence_block();
            out[i] = ring[i % 4]; //! empties
            __threadfence_block();
            tail = i + 1;
        }
    }
}
PAIR(warp_ring_filled_too_far)
{
    overfill_a_ring<<<1, 64>>>(zeros<int>(12), faulty);
}

/* Two warps take turns at one variable.
 * expect: race on shared value */
__global__ void take_turns(int *out, bool faulty)
{
    __shared__ int value;
    __shared__ volatile int turn;
    if (threadIdx.x == 0)
        value = turn = 0;
    __syncthreads();
    int warp = (int)threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        for (int i = 0; i < 3; i++) {
            while (turn != warp)
                ;
            __threadfence_block();
            value += 1; //! both
            if (!faulty)
                __threadfence_block();
            turn = 1 - warp;
        }
    }
    __syncthreads();
    out[threadIdx.x] = value;
}
PAIR(warp_turns_without_release)
{
    take_turns<<<1, 64>>>(zeros<int>(64), faulty);
}

/* All lanes write and one sets the flag, so the lanes must synchronize before.
 * expect: race on shared data
 * also: read of uninitialized shared data */
__global__ void hand_over_a_warp(int *out, bool faulty)
{
    __shared__ int data[32];
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = (int)lane; //! writes
        if (!faulty)
            __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            ready = 1;
        }
    } else {
        while (ready == 0)
            ;
        __threadfence_block();
        out[lane] = data[31 - lane]; //! reads
    }
}
PAIR(warp_flag_set_for_all_lanes)
{
    hand_over_a_warp<<<1, 64>>>(zeros<int>(32), faulty);
}

/* One lane waits for the flag, and the others must wait for that lane.
 * expect: race on shared data
 * also: read of uninitialized shared data */
__global__ void wait_for_a_warp(int *out, bool faulty)
{
    __shared__ int data;
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 7; //! writes
        __threadfence_block();
        ready = 1;
    } else if (threadIdx.x >= 32) {
        if (threadIdx.x == 32) {
            while (ready == 0)
                ;
            __threadfence_block();
        }
        if (!faulty)
            __syncwarp();
        out[threadIdx.x % 32] = data; //! reads
    }
}
PAIR(warp_flag_waited_for_by_one_lane)
{
    wait_for_a_warp<<<1, 64>>>(zeros<int>(32), faulty);
}

/* A lane draws a base for its warp: through shared memory, which needs __syncwarp(), or by a shuffle, which does not.
 * expect: race on shared base
 * also: read of uninitialized shared base
 * also: warning: the same value
 * also: race on */
__global__ void draw_for_a_warp(int *counter, int *out, bool faulty)
{
    __shared__ int base[2];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = 0;
    if (lane == 0)
        base[warp] = first = atomicAdd(counter, 32); //! draws
    if (faulty)
        first = base[warp]; //! reads
    else
        first = __shfl_sync(0xffffffff, first, 0);
    out[(unsigned)(first + (int)lane) % 64] = (int)lane;
}
PAIR(warp_base_by_shared_memory)
{
    draw_for_a_warp<<<1, 64>>>(zeros<int>(1), zeros<int>(64), faulty);
}

/* A mask that leaves out the lane that wrote.
 * expect: race on shared slots
 * also: read of uninitialized shared slots */
__global__ void meet_without_the_writer(int *out, bool faulty)
{
    __shared__ int slots[32];
    unsigned lane = threadIdx.x;
    slots[lane] = (int)lane; //! writes
    if (!faulty)
        __syncwarp();
    else if (lane != 31)
        __syncwarp(0x7fffffff);
    out[lane] = slots[31 - lane]; //! reads
}
PAIR(warp_mask_without_the_writer)
{
    meet_without_the_writer<<<1, 32>>>(zeros<int>(32), faulty);
}

/* Lanes that took the branch synchronize as a group; they must not read what other lanes write.
 * expect: race on shared slots
 * also: read of uninitialized shared slots */
__global__ void meet_in_a_branch(int *out, bool faulty)
{
    __shared__ int slots[32];
    unsigned lane = threadIdx.x;
    slots[lane] = (int)lane; //! writes
    if (lane % 2 == 0) {
        __syncwarp(0x55555555);
        out[lane] = slots[(lane + (faulty ? 1 : 2)) % 32]; //! reads
    }
}
PAIR(warp_meeting_of_a_branch)
{
    meet_in_a_branch<<<1, 32>>>(zeros<int>(32), faulty);
}

/* A scan of a warp in shared memory needs two __syncwarp() in each step: after the read, and after the write.
 * expect: race on shared sums */
__global__ void sum_down(const int *in, int *out, bool faulty)
{
    __shared__ int sums[32];
    unsigned lane = threadIdx.x;
    sums[lane] = in[lane];
    __syncwarp();
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        int left = lane >= stride ? sums[lane - stride] : 0; //! reads
        if (!faulty)
            __syncwarp();
        sums[lane] += left; //! writes
        __syncwarp();
    }
    out[lane] = sums[lane];
}
PAIR(warp_scan_with_one_meeting)
{
    sum_down<<<1, 32>>>(zeros<int>(32), zeros<int>(32), faulty);
}

/* A group of the threads that are active together, all twenty or fewer: sync() synchronizes only these.
 * expect: race on shared slots
 * also: read of uninitialized shared slots */
__global__ void coalesce(int *out, bool faulty)
{
    __shared__ int slots[32];
    unsigned lane = threadIdx.x;
    if (lane < 20) {
        cg::coalesced_group here = cg::coalesced_threads();
        unsigned other = here.shfl(lane, (int)(here.size() - 1 - here.thread_rank()));
        slots[lane] = (int)lane; //! writes
        if (!faulty)
            here.sync();
        out[lane] = slots[other]; //! reads
    }
}
PAIR(warp_group_without_sync)
{
    coalesce<<<1, 32>>>(zeros<int>(32), faulty);
}

/* A tile of 16 lanes synchronizes itself, but not the other half.
 * expect: race on shared slots
 * also: read of uninitialized shared slots */
__global__ void sync_a_tile(int *out, bool faulty)
{
    __shared__ int slots[32];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    slots[threadIdx.x] = 1; //! writes
    tile.sync();
    out[threadIdx.x] = slots[threadIdx.x ^ (faulty ? 16 : 8)]; //! reads
}
PAIR(warp_tile_of_the_other_half)
{
    sync_a_tile<<<1, 32>>>(zeros<int>(32), faulty);
}

/* __match_any_sync() makes lanes wait for each other but orders no memory.
 * expect: race on shared keys
 * also: read of uninitialized shared keys */
__global__ void match(int *out, bool faulty)
{
    __shared__ int keys[32];
    unsigned lane = threadIdx.x;
    keys[lane] = (int)lane % 4; //! writes
    unsigned same = __match_any_sync(0xffffffff, lane % 4);
    if (!faulty)
        __syncwarp();
    out[lane] = keys[__ffs((int)same) - 1]; //! reads
}
PAIR(warp_match_is_no_fence)
{
    match<<<1, 32>>>(zeros<int>(32), faulty);
}

/* A warp's queue: ranks come from a ballot, and lanes must synchronize before they read what others have stored.
 * expect: race on shared queue
 * also: read of uninitialized shared queue */
__global__ void queue(const int *in, int *out, bool faulty)
{
    __shared__ int queue[32];
    unsigned lane = threadIdx.x;
    bool keep = in[lane] == 0 && lane % 2 == 0;
    unsigned kept = __ballot_sync(0xffffffff, keep);
    if (keep)
        queue[__popc(kept & ((1u << lane) - 1))] = (int)lane; //! puts
    if (!faulty)
        __syncwarp();
    if (lane < (unsigned)__popc(kept))
        out[lane] = queue[lane]; //! takes
}
PAIR(warp_queue_without_meeting)
{
    queue<<<1, 32>>>(zeros<int>(32), zeros<int>(32), faulty);
}

/* Partial sums of warps: the first warp adds them up after a barrier, and they must not be overwritten before.
 * expect: race on shared partial */
__global__ void sum_twice(const int *in, int *out, bool faulty)
{
    __shared__ int partial[4];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int round = 0; round < 2; round++) {
        int sum = __reduce_add_sync(0xffffffff, in[threadIdx.x] + 1 + round);
        if (lane == 0)
            partial[warp] = sum; //! writes
        __syncthreads();
        if (warp == 0) {
            sum = lane < 4 ? partial[lane] : 0; //! reads
            sum = __reduce_add_sync(0xffffffff, sum);
            if (lane == 0)
                out[round] = sum;
        }
        if (!faulty)
            __syncthreads();
    }
}
PAIR(warp_sums_overwritten)
{
    sum_twice<<<1, 128>>>(zeros<int>(128), zeros<int>(2), faulty);
}

/* Two threads increment a volatile counter: each increment is a read and a write.
 * expect: warning: the order of threads decides what is read of */
__global__ void count_volatile(volatile int *counter, int *real, bool faulty)
{
    if (faulty)
        *counter = *counter + 1; //! both
    else
        atomicAdd(real, 1);
}
PAIR(volatile_counter)
{
    int *counter = zeros<int>(1);
    count_volatile<<<4, 1>>>(counter, counter, faulty);
}

/* `int *volatile p` is a volatile pointer to plain data.
 * expect: race on
 * resident: 3 */
__global__ void look_through_volatile_pointer(int *flag, int *out, bool faulty)
{
    int *volatile plain = flag;
    volatile int *seen = flag;
    if (blockIdx.x == 0)
        *seen = 1; //! writes
    else if (faulty)
        out[blockIdx.x] = *plain; //! reads
    else
        while (*seen == 0)
            ;
}
PAIR(volatile_pointer_to_plain_data)
{
    look_through_volatile_pointer<<<3, 1>>>(zeros<int>(1), zeros<int>(3), faulty);
}
