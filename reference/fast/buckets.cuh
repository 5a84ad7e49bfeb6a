/* buckets.cuh: a bucket is all keys with the same highest bits. Which way to sort suits the keys; how many keys each bucket has,
 * whether all are short enough for a block to sort, and where they go. */
#ifndef FAST_BUCKETS_CUH
#define FAST_BUCKETS_CUH

#include "heavy.cuh"
#include "onesweep.cuh"

namespace buckets
{

enum {
#ifdef __SIMT__
    BITS_MOST = 12,
#else
    BITS_MOST = 15, /* as many counters as shared memory has room for */
#endif
    THREADS = onesweep::COUNT_THREADS,
    LOADS = onesweep::COUNT_LOADS,
    COUNTERS_BYTES = onesweep::COPIES_BYTES,
    SAMPLES_MOST = 4 * THREADS, /* keys that are looked at to see which way suits them */
    SAMPLES_FEW = 2 * THREADS,  /* of short inputs, where buckets are few */
    MORE_EACH = 4,              /* samples of a thread of the blocks that take more of them */
    PLACED = 4 * THREADS        /* buckets that a block places */
};

enum way { BY_BUCKETS, BY_DIGITS, BY_HEAVY_VALUES };

/* What the host waits for, in its own memory. */
struct answers {
    unsigned way, longest, light;
};

/* What the blocks that look at some keys tell each other; zero at first. */
struct look {
    unsigned long long pairs; /* of more samples */
    unsigned way, finished;   /* what the samples of the first block ask for; blocks that have looked */
};

struct table {
    size_t n;
    unsigned bits;         /* of a bucket */
    unsigned low;          /* of these, the second digit; the ones above are the first */
    unsigned *counts;      /* of each bucket's keys, or of each digit's of each place */
    unsigned *starts;      /* of each bucket, and the end */
    unsigned *room;        /* of each first digit: where its next keys go */
    unsigned *bucket_room; /* of each bucket */
    unsigned *way;         /* null: by digits */
    struct look *look;
    unsigned *sampled; /* more samples of each bucket */
    unsigned *longest; /* keys of a bucket, at most */
    unsigned *placed;  /* blocks of place_buckets() that have finished */
    volatile struct answers *answers;
    unsigned *hard; /* buckets that are not sorted the fast way */
    unsigned *hard_count;
};

template <class Key> static __device__ __forceinline__ unsigned bucket_of(Key key, unsigned bits)
{
    return (unsigned)(key >> (8 * sizeof(Key) - bits));
}

/* Looks at more samples by the blocks after the first: how many pairs of them share a bucket. Lanes with the same bucket are
 * counted together, since atomics on one word take turns. */
template <class Key, enum order ORDER>
static __device__ __forceinline__ void look_at_more(const Key *in, const struct table &table)
{
    const size_t more = (size_t)(gridDim.x - 1) * THREADS * MORE_EACH, stride = table.n / more,
                 first = ((size_t)(blockIdx.x - 1) * MORE_EACH * THREADS + threadIdx.x) * stride;
    Key key[MORE_EACH];
    unsigned pairs = 0;
#pragma unroll
    for (unsigned i = 0; i < MORE_EACH; i++)
        key[i] = flip<ORDER>(in[first + i * THREADS * stride]);
#pragma unroll 1
    for (unsigned i = 0; i < MORE_EACH; i++) {
        const unsigned bucket = bucket_of(key[i], table.bits), peers = __match_any_sync(ALL, bucket),
                       equal = (unsigned)__popc(peers);
        if ((peers & ((1u << threadIdx.x % WARP) - 1)) == 0)
            pairs += equal * atomicAdd(&table.sampled[bucket], equal) + equal * (equal - 1) / 2;
    }
    pairs = add_warp(pairs);
    if (threadIdx.x % WARP == 0)
        atomicAdd(&table.look->pairs, (unsigned long long)pairs);
}

/* The first block looks at some keys, and asks for the way that suits them. Where many are of one bucket, there is no need to
 * count all. Nor is there where too many pairs of the samples share a bucket: were each bucket at most d times as long as the
 * mean, so would the pairs be at most d times as many as those of uniform keys. So the pairs reveal a bell curve, which has few
 * samples in each bucket. The pairs of many more samples reveal smaller differences between the buckets: most_of_more.
 *
 * list  null: heavy values are not wanted */
template <class Key, enum order ORDER>
__global__ void __launch_bounds__(THREADS, 1)
    look_at_some(const Key *in, struct table table, unsigned samples, unsigned pairs_most,
                 unsigned long long most_of_more, struct heavy::list<Key> *list)
{
    unsigned *counters = (unsigned *)dynamic_memory();
    __shared__ Key sample[SAMPLES_MOST];
    __shared__ unsigned sums[THREADS / WARP];
    const unsigned t = threadIdx.x, length = 1u << table.bits, most = 2 * (samples >> table.bits) + 12;
    const size_t stride = table.n / samples;
    let_next_kernel_begin();
    enum way way = BY_BUCKETS;
    if (blockIdx.x > 0) {
        look_at_more<Key, ORDER>(in, table);
        __syncthreads();
    } else {
        unsigned pairs = 0;
        bool is_many = false;
        Key key[SAMPLES_MOST / THREADS];
#pragma unroll
        for (unsigned i = 0; i < SAMPLES_MOST / THREADS; i++)
            key[i] = i * THREADS < samples ? flip<ORDER>(in[stride * (i * THREADS + t)]) : 0;
#pragma unroll
        for (unsigned i = 0; i < SAMPLES_MOST / THREADS; i++)
            sample[i * THREADS + t] = key[i];
#pragma unroll 1
        for (unsigned i = t; i < length; i += THREADS)
            counters[i] = 0;
        __syncthreads();
#pragma unroll 1
        for (unsigned i = t; i < samples; i += THREADS) {
            const unsigned earlier = atomicAdd(&counters[bucket_of(sample[i], table.bits)], 1u);
            is_many |= earlier >= most;
            pairs += earlier;
        }
        pairs = add_warp(pairs);
        if (t % WARP == 0)
            sums[t / WARP] = pairs;
        is_many = __syncthreads_or(is_many);
        pairs = add_warp(t % WARP < THREADS / WARP ? sums[t % WARP] : 0);
        if (is_many || pairs > pairs_most) {
            way = BY_DIGITS;
            if (list &&
                heavy::find<Key, THREADS>(sample, samples, list, (struct heavy::count *)dynamic_memory()))
                way = BY_HEAVY_VALUES;
        }
        if (t == 0)
            table.look->way = way;
    }
    if (t == 0) {
        __threadfence();
        if (atomicAdd(&table.look->finished, 1u) == gridDim.x - 1) {
            __threadfence();
            way = (enum way)table.look->way;
            if (way == BY_BUCKETS && table.look->pairs > most_of_more)
                way = BY_DIGITS;
            *table.way = way;
            table.answers->way = way;
        }
    }
}

template <class Key, enum order ORDER>
static __device__ __forceinline__ void count_buckets(const Key *in, const struct table &table)
{
    unsigned *counters = (unsigned *)dynamic_memory();
    const unsigned t = threadIdx.x, length = 1u << table.bits;
    const size_t n = table.n, stride = (size_t)gridDim.x * THREADS * LOADS;
    for (unsigned i = t; i < length; i += THREADS)
        counters[i] = 0;
    __syncthreads();
    for (size_t first = (size_t)blockIdx.x * THREADS * LOADS; first < n; first += stride) {
        if (n - first >= THREADS * LOADS) {
            Key key[LOADS];
#pragma unroll
            for (unsigned i = 0; i < LOADS; i++)
                key[i] = flip<ORDER>(in[first + i * THREADS + t]);
#pragma unroll
            for (unsigned i = 0; i < LOADS; i++)
                atomicAdd(&counters[bucket_of(key[i], table.bits)], 1u);
        } else {
            for (size_t i = first + t; i < n; i += THREADS)
                atomicAdd(&counters[bucket_of(flip<ORDER>(in[i]), table.bits)], 1u);
        }
    }
    __syncthreads();
    for (unsigned i = t; i < length; i += THREADS)
        if (counters[i] > 0)
            atomicAdd(&table.counts[i], counters[i]);
}

/* Counts what the way needs. */
template <class Key, enum order ORDER>
__global__ void __launch_bounds__(THREADS, 1) count_keys(const Key *in, struct table table)
{
    /* The next kernel does not begin early here: its blocks would all go to the multiprocessors that are free first. */
    wait_for_kernels_before();
    const unsigned way = table.way ? *table.way : BY_DIGITS;
    if (way == BY_BUCKETS)
        count_buckets<Key, ORDER>(in, table);
    else if (way == BY_DIGITS)
        onesweep::count_digits<Key, ORDER>(in, table.counts, table.n);
}

/* From counts to starts. Each block has PLACED buckets, and adds up all counts before. */
static __global__ void __launch_bounds__(THREADS, 1) place_buckets(struct table table)
{
    enum { WARPS = THREADS / WARP };
    __shared__ unsigned sums[WARPS], befores[WARPS];
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, length = 1u << table.bits,
                   mine = blockIdx.x * PLACED + 4 * t; /* and the three behind it */
    unsigned before = 0;
    wait_for_kernels_before();
    for (unsigned i = 4 * t; i < blockIdx.x * PLACED; i += PLACED) {
        const uint4 c = *(const uint4 *)&table.counts[i];
        before += c.x + c.y + c.z + c.w;
    }
    const uint4 c = mine < length ? *(const uint4 *)&table.counts[mine] : make_uint4(0, 0, 0, 0);
    const unsigned most = max_warp(max(max(c.x, c.y), max(c.z, c.w)));
    before = add_warp(before);
    if (lane == 0) {
        befores[warp] = before;
        atomicMax(table.longest, most);
    }
    const unsigned sum = c.x + c.y + c.z + c.w;
    unsigned start = scan_block(sum, sums);
    start += add_warp(lane < WARPS ? befores[lane] : 0);
    if (t == 0) { /* scan_block() has a barrier: all warps have their maximum there */
        __threadfence();
        if (atomicAdd(table.placed, 1u) == gridDim.x - 1)
            table.answers->longest = atomicMax(table.longest, 0u);
    }
    if (mine < length) {
        const uint4 starts = make_uint4(start, start + c.x, start + c.x + c.y, start + c.x + c.y + c.z);
        *(uint4 *)&table.starts[mine] = starts;
        *(uint4 *)&table.bucket_room[mine] = starts;
        const unsigned digit = mine >> table.low;
        if (digit << table.low == mine)
            table.room[digit] = start;
        if (mine == 0)
            table.starts[length] = (unsigned)table.n;
    }
}

} // namespace buckets
#endif
