/* heavy.cuh: values that many keys have. These keys are counted, not sorted: a sample says which values they are, one pass counts
 * their keys and brings the other keys together, and when these are sorted another pass writes all of the output. Bytes of n
 * keys, m of them not of heavy values: 4n + 4m, the sort of m keys, and 4m + 4n. */
#ifndef FAST_HEAVY_CUH
#define FAST_HEAVY_CUH

#include "digits.cuh"

namespace heavy
{

enum {
#ifdef __SIMT__
    THREADS = 128,
    MOST = 128, /* values */
#else
    THREADS = 512,
    MOST = 256,
#endif
    WARPS = THREADS / WARP,
    BLOCKS = 2,      /* of a multiprocessor at once */
    EACH = 16,       /* keys of a thread */
    RARE = 2,        /* samples of a value, at least */
    WORTH_IT = 60,   /* percent of the samples */
    SLOTS = 8 * MOST /* of the table in which separate() finds the values */
};

/* In ascending order, as numbers whose bits sort. */
template <class Key> struct list {
    unsigned length;
    unsigned light;    /* keys of other values */
    unsigned finished; /* blocks of separate() */
    unsigned keys[MOST];
    Key value[MOST];
};

template <class Key> static __device__ __forceinline__ unsigned slot_of(Key key, unsigned slots)
{
    uint64_t mixed = key;
    mixed = (mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15u; /* each bit of the key counts */
    return (unsigned)(mixed >> 40) % slots;
}

/* A slot of find()'s table: the number of a sample with the value and 1, or 0; and how many samples have it. */
struct count {
    unsigned owner, hits;
};

/* By one block: puts the values of most samples on the list. False: too few samples have them. Loops are not
 * unrolled: the code is run once, and fetching it takes longer than running it.
 *
 * table  of 2 * samples in shared memory; samples is a multiple of THREADS */
template <class Key, unsigned THREADS>
static __device__ bool find(const Key *sample, unsigned samples, struct list<Key> *list, struct count *table)
{
    __shared__ unsigned found, sum;
    __shared__ Key value[MOST];
    const unsigned t = threadIdx.x, lane = t % WARP, slots = 2 * samples;
#pragma unroll 1
    for (unsigned i = t; i < slots; i += THREADS)
        table[i].owner = table[i].hits = 0;
    if (t == 0)
        found = sum = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned i = t; i < samples; i += THREADS) {
        /* Lanes with the key of the first are counted together: atomics on one word take turns. */
        const Key key = sample[i], first = __shfl_sync(ALL, key, 0);
        const unsigned with = __ballot_sync(ALL, key == first);
        if (lane == 0 || key != first) {
            unsigned slot = slot_of(key, slots), owner;
            while ((owner = atomicCAS(&table[slot].owner, 0u, i + 1)) != 0 && sample[owner - 1] != key)
                slot = (slot + 1) % slots;
            atomicAdd(&table[slot].hits, lane == 0 ? (unsigned)__popc(with) : 1u);
        }
    }
    __syncthreads();
    /* No more than MOST values have so many samples; the others come as far as there is room. */
    for (unsigned least = samples / MOST, below = samples + 1; below > RARE; below = least, least = RARE) {
#pragma unroll 1
        for (unsigned i = t; i < slots; i += THREADS)
            if (table[i].hits >= least && table[i].hits < below) {
                const unsigned place = atomicAdd(&found, 1u);
                if (place < MOST) {
                    value[place] = sample[table[i].owner - 1];
                    atomicAdd(&sum, table[i].hits);
                }
            }
        __syncthreads();
    }
    if (sum * 100 / samples < WORTH_IT)
        return false;
    const unsigned length = min(found, (unsigned)MOST);
#pragma unroll 1
    for (unsigned i = t; i < length; i += THREADS) {
        unsigned smaller = 0;
#pragma unroll 8
        for (unsigned k = 0; k < length; k++)
            smaller += value[k] < value[i];
        list->value[smaller] = value[i];
        list->keys[smaller] = 0;
    }
    if (t == 0) {
        list->length = length;
        list->light = list->finished = 0;
    }
    return true;
}

/* Counts the keys of each value; the others go to light, in any order. *answer in the host's memory: how many these are. */
template <class Key, enum order ORDER>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    separate(const Key *in, Key *light, size_t n, struct list<Key> *list, volatile unsigned *answer)
{
    enum { TILE_KEYS = EACH * THREADS };
    __shared__ unsigned slots[SLOTS], keys[MOST], sums[WARPS],
        base; /* a slot: the number of a value and 1, or 0 */
    __shared__ Key value[MOST];
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, lower = (1u << lane) - 1;
    wait_for_kernels_before();
    let_next_kernel_begin();
    const unsigned length = list->length;
    for (unsigned i = t; i < SLOTS; i += THREADS)
        slots[i] = 0;
    for (unsigned i = t; i < length; i += THREADS) {
        keys[i] = 0;
        value[i] = list->value[i];
    }
    __syncthreads();
    for (unsigned i = t; i < length; i += THREADS) {
        unsigned slot = slot_of(value[i], SLOTS);
        while (atomicCAS(&slots[slot], 0u, i + 1) != 0)
            slot = (slot + 1) % SLOTS;
    }
    __syncthreads();
    auto number_of = [&](Key key) {
        unsigned slot = slot_of(key, SLOTS), number;
        while ((number = slots[slot]) != 0 && value[number - 1] != key)
            slot = (slot + 1) % SLOTS;
        return number;
    };

    const unsigned mine = warp * EACH * WARP + lane; /* and each WARP-th key behind it */
    for (size_t begin = (size_t)blockIdx.x * TILE_KEYS; begin < n; begin += (size_t)gridDim.x * TILE_KEYS) {
        const unsigned count = n - begin < TILE_KEYS ? (unsigned)(n - begin) : (unsigned)TILE_KEYS;
        Key key[EACH];
        unsigned votes[EACH] /* for light keys */, found = 0;
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            key[i] = mine + i * WARP < count ? in[begin + mine + i * WARP] : 0;
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            const bool is_key = mine + i * WARP < count;
            const unsigned number = is_key ? number_of(flip<ORDER>(key[i])) : 0;
            const unsigned first = __shfl_sync(ALL, number, 0), with = __ballot_sync(ALL, number == first);
            votes[i] = __ballot_sync(ALL, is_key && number == 0);
            found += (unsigned)__popc(votes[i]);
            if (number > 0 && (lane == 0 || number != first))
                atomicAdd(&keys[number - 1], lane == 0 ? (unsigned)__popc(with) : 1u);
        }
        if (lane == 0)
            sums[warp] = found;
        __syncthreads();
        const unsigned before = sum_before(sums);
        if (t == THREADS - 1)
            base = before + found > 0 ? atomicAdd(&list->light, before + found) : 0;
        __syncthreads();
        unsigned at = base + before;
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            if (votes[i] >> lane & 1)
                light[at + (unsigned)__popc(votes[i] & lower)] = key[i];
            at += (unsigned)__popc(votes[i]);
        }
    }
    __syncthreads();
    for (unsigned i = t; i < length; i += THREADS)
        if (keys[i] > 0)
            atomicAdd(&list->keys[i], keys[i]);
    if (t == 0) {
        __threadfence();
        if (atomicAdd(&list->finished, 1u) == gridDim.x - 1)
            *answer = atomicAdd(&list->light, 0u);
    }
}

/* Writes the output: the light keys, which are sorted, and all keys of each value where they go between them. */
template <class Key, enum order ORDER>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    merge(const Key *light, Key *out, size_t n, const struct list<Key> *list)
{
    enum { TILE_KEYS = EACH * THREADS };
    __shared__ unsigned starts[MOST], ends[MOST], sums[WARPS]; /* of each value's keys in the output */
    __shared__ unsigned heavy[MOST + 1];                       /* keys of smaller values on the list */
    __shared__ Key value[MOST];
    wait_for_kernels_before();
    const unsigned t = threadIdx.x, length = list->length;
    const unsigned keys = t < length ? list->keys[t] : 0, before = scan_block(keys, sums);
    if (t < length) {
        const Key own = list->value[t];
        unsigned low = 0, high = list->light; /* how many light keys are smaller */
        while (low < high) {
            const unsigned middle = low + (high - low) / 2;
            if (flip<ORDER>(light[middle]) < own)
                low = middle + 1;
            else
                high = middle;
        }
        starts[t] = low + before;
        ends[t] = low + before + keys;
        heavy[t] = before;
        value[t] = unflip<ORDER>(own);
        if (t == length - 1)
            heavy[length] = before + keys;
    }
    __syncthreads();
    /* How many values have their first key at this place or before it: at least `low`, at most `high`. */
    auto begun_at = [&](size_t place, unsigned low, unsigned high) {
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (starts[middle] <= place)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    for (size_t begin = (size_t)blockIdx.x * TILE_KEYS; begin < n; begin += (size_t)gridDim.x * TILE_KEYS) {
        const size_t end = n - begin < TILE_KEYS ? n : begin + TILE_KEYS;
        const unsigned begun = begun_at(begin, 0, length), more = begun_at(end - 1, begun, length);
        const bool is_apart = begun == more; /* no other value begins in this tile */
        if (is_apart && begun > 0 && ends[begun - 1] >= end) {
            const Key all = value[begun - 1];
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                if (begin + i * THREADS + t < end)
                    out[begin + i * THREADS + t] = all;
        } else if (is_apart && (begun == 0 || ends[begun - 1] <= begin)) {
            const Key *from = light + (begin - heavy[begun]);
            Key key[EACH];
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                key[i] = begin + i * THREADS + t < end ? from[i * THREADS + t] : 0;
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                if (begin + i * THREADS + t < end)
                    out[begin + i * THREADS + t] = key[i];
        } else {
            for (size_t place = begin + t; place < end; place += THREADS) {
                const unsigned last = begun_at(place, begun, more);
                out[place] =
                    last > 0 && place < ends[last - 1] ? value[last - 1] : light[place - heavy[last]];
            }
        }
    }
}

} // namespace heavy
#endif
