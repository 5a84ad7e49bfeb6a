/* buckets.cuh: a bucket is all keys with the same highest bits. How many keys each one has, whether all are short enough for
 * a block to sort, and where they go. */
#ifndef FAST_BUCKETS_CUH
#define FAST_BUCKETS_CUH

#include "digits.cuh"

namespace buckets
{

enum {
#ifdef __SIMT__
    THREADS = 128,
    BITS_MOST = 12,
#else
    THREADS = 1024,
    BITS_MOST = 15, /* as many counters as shared memory has room for */
#endif
    LOADS = 8,           /* keys on their way in each thread */
    SAMPLES_EACH = 4,    /* keys that a thread looks at to see whether counting is worth it */
    PLACED = 4 * THREADS /* buckets that a block places */
};

struct table {
    size_t n;
    unsigned bits;         /* of a bucket */
    unsigned low;          /* of these, the second digit; the ones above are the first */
    unsigned *counts;      /* of each bucket's keys */
    unsigned *starts;      /* of each bucket, and the end */
    unsigned *room;        /* of each first digit: where its next keys go */
    unsigned *bucket_room; /* of each bucket */
    unsigned *skipped;     /* not 0: many keys are of one bucket, and nobody counts */
    unsigned *longest;     /* keys of a bucket, at most */
    unsigned *hard;        /* buckets that are not sorted the fast way */
    unsigned *hard_count;
};

template <class Key> static __device__ __forceinline__ unsigned bucket_of(Key key, unsigned bits)
{
    return (unsigned)(key >> (8 * sizeof(Key) - bits));
}

/* One block looks at some keys. Where many are of one bucket, there is no need to count all. Nor is there where too many pairs
 * of the samples share a bucket: were each bucket at most d times as long as the mean, so would the pairs be at most d times
 * as many as those of uniform keys. So a wide hill shows, of which no single bucket has many samples. */
template <class Key, enum order ORDER>
__global__ void __launch_bounds__(THREADS, 1)
    look_at_some(const Key *in, struct table table, unsigned pairs_most)
{
    unsigned *counters = (unsigned *)dynamic_memory();
    const unsigned t = threadIdx.x, length = 1u << table.bits, samples = THREADS * SAMPLES_EACH;
    const unsigned most = 2 * (samples >> table.bits) + 12;
    Key key[SAMPLES_EACH];
    unsigned pairs = 0;
    bool is_many = false;
    __shared__ unsigned sums[THREADS / WARP];
#pragma unroll
    for (unsigned i = 0; i < SAMPLES_EACH; i++)
        key[i] = flip<ORDER>(in[table.n / samples * (i * THREADS + t)]);
    for (unsigned i = t; i < length; i += THREADS)
        counters[i] = 0;
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < SAMPLES_EACH; i++) {
        const unsigned earlier = atomicAdd(&counters[bucket_of(key[i], table.bits)], 1u);
        is_many |= earlier >= most;
        pairs += earlier;
    }
    pairs = add_warp(pairs);
    if (t % WARP == 0)
        sums[t / WARP] = pairs;
    is_many = __syncthreads_or(is_many);
    if (t < WARP) {
        pairs = add_warp(t < THREADS / WARP ? sums[t] : 0);
        if (t == 0 && (is_many || pairs > pairs_most))
            *table.skipped = 1;
    }
}

template <class Key, enum order ORDER>
__global__ void __launch_bounds__(THREADS, 1) count_buckets(const Key *in, struct table table)
{
    unsigned *counters = (unsigned *)dynamic_memory();
    const unsigned t = threadIdx.x, length = 1u << table.bits;
    const size_t n = table.n, stride = (size_t)gridDim.x * THREADS * LOADS;
    if (*table.skipped)
        return;
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

/* From counts to starts. Each block has PLACED buckets, and adds up all counts before. */
static __global__ void __launch_bounds__(THREADS, 1) place_buckets(struct table table)
{
    enum { WARPS = THREADS / WARP };
    __shared__ unsigned sums[WARPS], befores[WARPS];
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, length = 1u << table.bits,
                   mine = blockIdx.x * PLACED + 4 * t; /* and the three behind it */
    if (*table.skipped) {
        if (mine == 0)
            *table.longest = (unsigned)table.n;
        return;
    }
    unsigned before = 0;
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
