/* digits.cuh: digits of keys, and the ranks of a warp's keys among equal digits. */
#ifndef FAST_DIGITS_CUH
#define FAST_DIGITS_CUH

#include "keys.cuh"

enum {
    WARP = 32,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    FEW_DIGITS = 12 /* of a row of keys: their peers are found by __match_any_sync() */
};

static const unsigned ALL = 0xFFFFFFFFu;

/* The dynamic shared memory of a kernel. Who includes this defines it, since `extern __shared__` in headers is not known to the
 * CPU device. */
static __device__ __forceinline__ uint4 *dynamic_memory();

/* Blocks of a kernel begin while the last blocks of the one before are still at work (compute capability 9.0). What they do ahead
 * of this call must need nothing of it. */
static __device__ __forceinline__ void wait_for_kernels_before()
{
#if !defined(__SIMT__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The next kernel may begin as soon as each block has called this or returned. */
static __device__ __forceinline__ void let_next_kernel_begin()
{
#if !defined(__SIMT__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

template <class Key> static __device__ __forceinline__ unsigned digit_of(Key key, unsigned place)
{
    return (unsigned)(key >> (place * DIGIT_BITS)) % DIGITS;
}

/* Where place `i` of a tile of keys lies in shared memory, which has padded(length) places then. Keys that are nearly in
 * order go to places a power of two apart, which would all be in one bank. */
static __host__ __device__ __forceinline__ constexpr unsigned padded(unsigned i)
{
    return i + i / WARP;
}

/* Inclusive sum over the lanes of a warp. */
static __device__ __forceinline__ unsigned scan_warp(unsigned sum)
{
    const unsigned lane = threadIdx.x % WARP;
#pragma unroll
    for (unsigned by = 1; by < WARP; by *= 2) {
        const unsigned left = __shfl_up_sync(ALL, sum, by);
        sum += lane >= by ? left : 0;
    }
    return sum;
}

static __device__ __forceinline__ unsigned add_warp(unsigned value)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL, value);
#else
    return __shfl_sync(ALL, scan_warp(value), WARP - 1);
#endif
}

static __device__ __forceinline__ unsigned max_warp(unsigned value)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL, value);
#else
    for (unsigned by = 1; by < WARP; by *= 2)
        value = max(value, __shfl_xor_sync(ALL, value, by));
    return value;
#endif
}

/* Of numbers in shared memory, one for each warp of a block: the sum of those before this warp. */
static __device__ __forceinline__ unsigned sum_before(const unsigned *sums)
{
    return add_warp(threadIdx.x % WARP < threadIdx.x / WARP ? sums[threadIdx.x % WARP] : 0);
}

/* Exclusive sum over the threads of a block; sums is shared memory of WARPS numbers, which may be used again after the next
 * barrier. */
static __device__ __forceinline__ unsigned scan_block(unsigned value, unsigned *sums)
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned sum = scan_warp(value);
    if (lane == WARP - 1)
        sums[warp] = sum;
    __syncthreads();
    return sum - value + sum_before(sums);
}

/* The lanes of the warp with this lane's digit. */
static __device__ __forceinline__ unsigned peers_by_ballots(unsigned digit)
{
    unsigned peers = ALL;
#pragma unroll
    for (unsigned bit = 0; bit < DIGIT_BITS; bit++) {
        const unsigned votes = __ballot_sync(ALL, digit >> bit & 1);
        peers &= digit >> bit & 1 ? votes : ~votes;
    }
    return peers;
}

/* The rank of this lane's key among the keys of its digit that the warp has passed, which now include the warp's row. */
static __device__ __forceinline__ unsigned pass_peers(unsigned digit, unsigned peers, unsigned short *passed)
{
    const unsigned earlier = peers & ((1u << threadIdx.x % WARP) - 1), before = passed[digit];
    __syncwarp();
    if (earlier == 0)
        passed[digit] = (unsigned short)(before + __popc(peers));
    __syncwarp();
    return before + __popc(earlier);
}

/* Where two keys of each lane are among the keys of their digit that the warp has passed; all first keys come before all
 * second ones. The peers of the first are found by bits in shared memory, those of the second by ballots in between, so
 * that both ways have work. Returns whether the lane is the first with the second key's digit.
 *
 * TOGETHER lanes with the first lane's digit set their bits at once: in sorted keys these are most, and atomics on one word
 *          take turns. It pays where a block is alone and waits for each of its steps.
 * masks    of each digit, of this warp alone: 0 before and after
 * passed   of each digit, how many keys the warp has passed */
template <bool TOGETHER>
static __device__ __forceinline__ bool rank_two(unsigned digit, unsigned next, unsigned *masks,
                                                unsigned short *passed, unsigned *rank, unsigned *next_rank)
{
    const unsigned bit = 1u << threadIdx.x % WARP, lower = bit - 1;
    if (TOGETHER) {
        const unsigned with_first = __ballot_sync(ALL, digit == __shfl_sync(ALL, digit, 0));
        if (bit == 1 || (with_first & bit) == 0)
            atomicOr(&masks[digit], bit == 1 ? with_first : bit);
    } else {
        atomicOr(&masks[digit], bit);
    }
    const unsigned next_peers = peers_by_ballots(next);
    __syncwarp();
    const unsigned peers = masks[digit];
    *rank = pass_peers(digit, peers, passed);
    if ((peers & lower) == 0)
        masks[digit] = 0;
    *next_rank = pass_peers(next, next_peers, passed);
    return (next_peers & lower) == 0;
}

/* The same for keys of few digits. There atomics on a digit's mask would take turns, while __match_any_sync(), whose time
 * grows with the number of digits, is quick. */
static __device__ __forceinline__ bool rank_two_of_few(unsigned digit, unsigned next, unsigned short *passed,
                                                       unsigned *rank, unsigned *next_rank)
{
    const unsigned peers = __match_any_sync(ALL, digit), next_peers = __match_any_sync(ALL, next);
    *rank = pass_peers(digit, peers, passed);
    *next_rank = pass_peers(next, next_peers, passed);
    return (next_peers & ((1u << threadIdx.x % WARP) - 1)) == 0;
}

#endif
