/* partition.cuh: brings the keys of a digit together, in any order among themselves: a pass from the highest digit down needs
 * none. So a key's place in its tile is what atomicAdd returns, a block takes its share of each digit's room by one more, and
 * nobody waits for anybody.
 *
 * EACH  keys of a thread, a multiple of AT_ONCE. The longer the tile, the longer the runs of equal digits that are written. */
#ifndef FAST_PARTITION_CUH
#define FAST_PARTITION_CUH

#include "digits.cuh"
#include "buckets.cuh"

namespace partition
{

enum {
    THREADS = DIGITS,
    WARPS = THREADS / WARP,
    BLOCKS = 2,  /* of a multiprocessor at once */
    AT_ONCE = 8, /* of a thread, from shared memory or to it */
    MANY = 8     /* lanes with the first one's digit: then more are to come */
};

/* The same as atomicAdd(&next[digit], 1) for a row of keys, where many have the first one's digit. */
static __device__ __forceinline__ unsigned draw_together(unsigned *next, unsigned digit, bool is_key)
{
    const unsigned lane = threadIdx.x % WARP;
    const unsigned first = __shfl_sync(ALL, digit, 0);
    const unsigned peers = __ballot_sync(ALL, is_key && digit == first);
    unsigned slot = 0;
    if (lane == 0)
        slot = atomicAdd(&next[first], (unsigned)__popc(peers));
    slot = __shfl_sync(ALL, slot, 0) + (unsigned)__popc(peers & ((1u << lane) - 1));
    if (is_key && digit != first)
        slot = atomicAdd(&next[digit], 1u);
    return slot;
}

/* GROUPED: the keys have been partitioned by their first digit, and are now by their second, each group by itself: a row of the
 * grid. */
template <class Key, enum order FROM, bool GROUPED, int EACH>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    partition_keys(const Key *in, Key *out, struct buckets::table table)
{
    enum { SECTION = EACH * WARP, TILE_KEYS = EACH * THREADS };
    Key *sorted = (Key *)dynamic_memory();
    __shared__ unsigned
        next[DIGITS]; /* how many keys of a digit there are; then where its first one goes in the tile */
    __shared__ unsigned shifts[DIGITS]; /* from there to its slot */
    __shared__ unsigned sums[WARPS];
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    const unsigned digits = 1u << (GROUPED ? table.low : table.bits - table.low);
    const unsigned shift = 8 * sizeof(Key) - table.bits + (GROUPED ? 0 : table.low);
    auto digit_at = [=](Key key) { return (unsigned)(key >> shift) & (digits - 1); };
    size_t origin = (size_t)blockIdx.x * TILE_KEYS, begin = origin, end = origin + TILE_KEYS;
    unsigned *room = table.room;

    wait_for_kernels_before();
    let_next_kernel_begin();
    if (!GROUPED) {
        end = table.n < end ? table.n : end;
    } else {
        const unsigned first = table.starts[blockIdx.y << table.low],
                       last = table.starts[(blockIdx.y + 1) << table.low];
        origin += first / WARP * WARP; /* tiles begin where memory is aligned */
        if (origin >= last)
            return;
        begin = origin > first ? origin : first;
        end = last - origin < TILE_KEYS ? last : origin + TILE_KEYS;
        room = table.bucket_room + (blockIdx.y << table.low);
    }
    next[t] = 0;
    __syncthreads();
    const unsigned low = (unsigned)(begin - origin), high = (unsigned)(end - origin), count = high - low;
    const unsigned mine = warp * SECTION + lane; /* and each WARP-th key behind it */

    Key key[EACH];
    halves<EACH> rank; /* in the tile, among the keys of its digit */
    if (count == TILE_KEYS) {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            key[i] = flip<FROM>(in[origin + mine + i * WARP]);
    } else {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            key[i] = mine + i * WARP >= low && mine + i * WARP < high
                         ? flip<FROM>(in[origin + mine + i * WARP])
                         : 0;
    }
    const unsigned digit = digit_at(key[0]);
    const bool many = __popc(__ballot_sync(ALL, digit == __shfl_sync(ALL, digit, 0))) >= MANY;
    if (count == TILE_KEYS && !many) {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            rank.put(i, atomicAdd(&next[digit_at(key[i])], 1u));
    } else {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            rank.put(i,
                     draw_together(next, digit_at(key[i]), mine + i * WARP >= low && mine + i * WARP < high));
    }
    __syncthreads();

    /* Thread t for digit t. */
    const unsigned sum = next[t];
    unsigned slot = 0;
    if (sum > 0)
        slot = atomicAdd(&room[t], sum);
    const unsigned first = scan_block(sum, sums);
    next[t] = first;
    __syncthreads();

#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        rank.add(i, next[digit_at(key[i])]);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        if (count == TILE_KEYS || (mine + i * WARP >= low && mine + i * WARP < high))
            sorted[padded(rank.get(i))] = key[i];
    shifts[t] = slot - first;
    __syncthreads();

    if (count == TILE_KEYS) {
#pragma unroll
        for (unsigned done = 0; done < EACH; done += AT_ONCE) {
            Key k[AT_ONCE];
            unsigned to[AT_ONCE];
#pragma unroll
            for (unsigned i = 0; i < AT_ONCE; i++)
                k[i] = sorted[padded((done + i) * THREADS) + padded(t)];
#pragma unroll
            for (unsigned i = 0; i < AT_ONCE; i++)
                to[i] = shifts[digit_at(k[i])] + (done + i) * THREADS + t;
#pragma unroll
            for (unsigned i = 0; i < AT_ONCE; i++)
                out[to[i]] = k[i];
        }
    } else {
        for (unsigned p = t; p < count; p += THREADS) {
            const Key k = sorted[padded(p)];
            out[shifts[digit_at(k)] + p] = k;
        }
    }
}

} // namespace partition
#endif
