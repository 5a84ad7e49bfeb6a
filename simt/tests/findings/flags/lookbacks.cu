/* Blocks of one grid that pass sums from tile to tile: further variants of look-back. */
#include "pair.h"

enum { BLOCKS = 4, THREADS = 64 };

__device__ int arrived;

/* The flags of the launch before are still set, so no block waits for the new sums.
 * expect: race on
 * also: warning: the order of threads decides
 * resident: 4 */
__global__ void chain(volatile int *flags, int *sums, int *out, int round)
{
    int tile = BLOCKS - 1 - atomicAdd(&arrived, 1) % BLOCKS, before = 0; /* blocks that wait come first */
    if (tile > 0) {
        while (flags[tile - 1] < round)
            ;
        __threadfence();
        before = sums[tile - 1]; //! reads
    }
    sums[tile] = before + round; //! writes
    __threadfence();
    flags[tile] = round;
    out[tile] = before;
}
PAIR(lookback_flags_of_an_earlier_launch)
{
    int *flags = zeros<int>(BLOCKS), *sums = zeros<int>(BLOCKS), *out = zeros<int>(BLOCKS);
    if (faulty)
        must(cudaMemset(flags, 1, BLOCKS * sizeof *flags));
    chain<<<BLOCKS, 1>>>(flags, sums, out, 1);
    chain<<<BLOCKS, 1>>>(flags, sums, out, 2);
}

/* Flag and sum are in one word of 8 bytes, which must be written and read as a whole. Its halves are two variables.
 * expect: race on
 * also: warning: the order of threads decides what is read of */
__global__ void chain_packed(unsigned long long *states, int *out, bool faulty)
{
    unsigned tile = atomicAdd(&arrived, 1), before = 0;
    if (tile > 0) {
        unsigned long long state;
        do
            state = *(volatile unsigned long long *)&states[tile - 1]; //! reads
        while (state >> 32 == 0);
        before = (unsigned)state;
    }
    if (faulty) {
        ((unsigned *)&states[tile])[0] = before + 1; //! writes
        __threadfence();
        ((volatile unsigned *)&states[tile])[1] = 1;
    } else {
        *(volatile unsigned long long *)&states[tile] = 1ull << 32 | (before + 1);
    }
    out[tile] = (int)before;
}
PAIR(lookback_packed_by_halves)
{
    chain_packed<<<BLOCKS, 1>>>(zeros<unsigned long long>(BLOCKS), zeros<int>(BLOCKS), faulty);
}

/* One thread looks back for the block, and the others must wait for it at a barrier.
 * expect: race on shared base
 * also: read of uninitialized shared base */
__global__ void chain_for_a_block(volatile int *flags, int *out, bool faulty)
{
    __shared__ int tile, base;
    if (threadIdx.x == 0)
        tile = atomicAdd(&arrived, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        while (tile > 0 && (before = flags[tile - 1]) == 0)
            ;
        flags[tile] = before + 1;
        base = before; //! writes
    }
    if (!faulty)
        __syncthreads();
    out[tile * blockDim.x + threadIdx.x] = base + (int)threadIdx.x; //! reads
}
PAIR(lookback_of_one_thread_not_waited_for)
{
    chain_for_a_block<<<BLOCKS, THREADS>>>(zeros<int>(BLOCKS), zeros<int>(BLOCKS * THREADS), faulty);
}

/* An aggregate and an inclusive sum share a flag, whose value decides which of them may be read.
 * expect: race on
 * resident: 2 */
__global__ void look_at_the_wrong_sum(int *aggregate, int *inclusive, volatile int *flags, int *out,
                                      bool faulty)
{
    if (blockIdx.x == 0) {
        aggregate[0] = 5;
        __threadfence();
        flags[0] = 1;
        while (flags[1] == 0)
            ;
        inclusive[0] = 7; //! writes
        __threadfence();
        flags[0] = 2;
        return;
    }
    int seen;
    while ((seen = flags[0]) == 0)
        ;
    __threadfence();
    if (faulty || seen == 2)
        *out = inclusive[0]; //! reads
    else
        *out = aggregate[0];
    __threadfence_block();
    flags[1] = 1;
}
PAIR(lookback_at_the_wrong_sum)
{
    look_at_the_wrong_sum<<<2, 1>>>(zeros<int>(1), zeros<int>(1), zeros<int>(2), zeros<int>(1), faulty);
}
