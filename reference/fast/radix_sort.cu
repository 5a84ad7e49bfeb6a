/* radix_sort.cu: a radix sort that reads and writes each key once a digit of 8 bits: Onesweep (Adinets & Merrill, "Onesweep:
 * A Faster Least Significant Digit Radix Sort for GPUs", 2022). Keys of 32 and 64 bits, signed and float keys, and pairs.
 *
 * One read of the keys counts all digits of all places. Then a launch a place: a block ranks the keys of a tile in shared
 * memory, learns by a look-back of one thread a digit where the tile's keys of that digit go, and writes them in runs.
 *
 * Bytes of u32: 4n for the counts, and 8n a place: 36n. The limit is not these, but the banks of shared memory that the
 * ranks go through: NOTES.md.
 *
 * PER_THREAD  keys of a thread. The longer the tile, the longer the runs of equal digits that are written.
 * BLOCKS      of a multiprocessor at once. A block waits much, at barriers and for its look-back. */
#include "radix_sort.h"
#include "block_sort.cuh"
#include <string.h>

enum {
    THREADS = 256, /* one for each digit */
    WARPS = THREADS / WARP,
    BLOCKS = 2, /* of a multiprocessor at once */
    LOOKS = 4,  /* tiles that a look-back asks for at once */
    STORES = 4, /* keys that a thread reads from shared memory before it writes the first */
#ifdef __SIMT__
    COUNT_THREADS = 128,
    COPIES_BYTES = 1 << 14,
#else
    COUNT_THREADS = 1024,
    COPIES_BYTES = 1 << 17, /* of shared memory for counters */
#endif
    COUNT_LOADS = 8 /* keys on their way in each thread */
};

/* ---- scratch memory ---------------------------------------------------------------------------------------------------- */

/* A tile says of a digit how many keys it has, or how many all tiles up to it have: in one word with the place, so that a
 * word says by itself whether it is there, and one memset does for all places. */
enum { SUM, PREFIX };

struct board {
    unsigned long long *words; /* of each digit of each tile */
    unsigned *counts;          /* of each digit of each place, in all of the input */
    unsigned *tickets;         /* of each place */
};

static __device__ __forceinline__ unsigned long long word_of(unsigned place, unsigned what, unsigned value)
{
    return (unsigned long long)(2 * place + what + 1) << 32 | value;
}

/* ---- counts -------------------------------------------------------------------------------------------------------------- */

/* Each lane has counters of its own, in its own bank of shared memory, as far as there is room. */
template <class Key, enum order ORDER>
__global__ void __launch_bounds__(COUNT_THREADS, 1) count_digits(const Key *in, unsigned *counts, size_t n)
{
    enum { PLACES = sizeof(Key), BINS = PLACES * DIGITS, COPIES = COPIES_BYTES / 4 / BINS };
    extern __shared__ uint4 memory[];
    unsigned *mine = (unsigned *)memory, *bins = mine;
    const size_t stride = (size_t)gridDim.x * COUNT_THREADS * COUNT_LOADS;
    for (unsigned i = threadIdx.x; i < BINS * COPIES; i += COUNT_THREADS)
        bins[i] = 0;
    __syncthreads();
    mine += threadIdx.x % COPIES;
    auto count = [&](Key key) {
        key = flip<ORDER>(key);
#pragma unroll
        for (unsigned place = 0; place < PLACES; place++)
            atomicAdd(&mine[(place * DIGITS + digit_of(key, place)) * COPIES], 1u);
    };
    for (size_t first = (size_t)blockIdx.x * COUNT_THREADS * COUNT_LOADS; first < n; first += stride) {
        if (n - first >= COUNT_THREADS * COUNT_LOADS) {
            Key key[COUNT_LOADS];
#pragma unroll
            for (unsigned i = 0; i < COUNT_LOADS; i++)
                key[i] = in[first + i * COUNT_THREADS + threadIdx.x];
#pragma unroll
            for (unsigned i = 0; i < COUNT_LOADS; i++)
                count(key[i]);
        } else {
            for (size_t i = first + threadIdx.x; i < n; i += COUNT_THREADS)
                count(in[i]);
        }
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < BINS; bin += COUNT_THREADS) {
        unsigned sum = 0;
        for (unsigned copy = 0; copy < COPIES; copy++)
            sum += bins[bin * COPIES + (copy + bin) % COPIES];
        if (sum > 0)
            atomicAdd(&counts[bin], sum);
    }
}

/* ---- a place --------------------------------------------------------------------------------------------------------------- */

/* Exclusive sum over the threads of a block; sums is shared memory of WARPS numbers. */
static __device__ __forceinline__ unsigned scan_block(unsigned value, unsigned *sums)
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned sum = scan_warp(value);
    if (lane == WARP - 1)
        sums[warp] = sum;
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        sum += sums[w];
    __syncthreads();
    return sum - value;
}

/* How many keys of this thread's digit stand in the tiles before. LOOKS tiles are asked for at once. */
static __device__ __forceinline__ unsigned look_back(const struct board &board, unsigned tile, unsigned place)
{
    const volatile unsigned long long *words = board.words + threadIdx.x;
    const unsigned sum_is_there = 2 * place + SUM + 1, prefix_is_there = 2 * place + PREFIX + 1;
    unsigned before = 0;
    for (;;) {
        unsigned long long word[LOOKS];
#pragma unroll
        for (unsigned i = 0; i < LOOKS; i++)
            word[i] = i < tile ? words[(size_t)(tile - 1 - i) * DIGITS] : 0;
#pragma unroll
        for (unsigned i = 0; i < LOOKS; i++) {
            const unsigned is = (unsigned)(word[i] >> 32);
            if (is != sum_is_there && is != prefix_is_there)
                break; /* ask again from here on */
            before += (unsigned)word[i];
            if (is == prefix_is_there)
                return before;
            tile--;
        }
    }
}

struct tile_memory {
    unsigned masks[WARPS][DIGITS];        /* see rank_two */
    unsigned short counts[WARPS][DIGITS]; /* keys of a digit that the warp has passed; then where its next one goes */
    unsigned shifts[DIGITS];              /* from a key's place in the sorted tile to its slot */
    unsigned sums[WARPS];
    unsigned ticket;
};

/* FREE: keys of the same digit may change their order, since nothing is sorted yet: the ranks are drawn from a counter. Not
 * so with values, as equal keys keep the order of theirs. */
template <class Key, bool VALUES, enum order FROM, enum order TO, bool FREE, int PER_THREAD>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sort_place(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n, unsigned place,
               struct board board)
{
    enum { SECTION = PER_THREAD * WARP, TILE_KEYS = PER_THREAD * THREADS };
    extern __shared__ uint4 memory[]; /* the tile, sorted; behind it the values */
    __shared__ struct tile_memory shared;
    Key *sorted = (Key *)memory;
    unsigned *sorted_values = (unsigned *)(sorted + padded(TILE_KEYS));
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    unsigned *masks = shared.masks[warp];
    unsigned short *passed = shared.counts[warp];
    Key key[PER_THREAD];
    halves<PER_THREAD> rank; /* in the warp, among the keys of its digit */

    if (t == 0)
        shared.ticket = atomicAdd(&board.tickets[place], 1u);
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        shared.masks[w][t] = 0;
        shared.counts[w][t] = 0;
    }
    __syncthreads();
    const unsigned tile = shared.ticket;
    const size_t begin = (size_t)tile * TILE_KEYS;
    const unsigned count = n - begin < TILE_KEYS ? (unsigned)(n - begin) : (unsigned)TILE_KEYS;
    const unsigned mine = warp * SECTION + lane; /* and each WARP-th key behind it */

    /* Where keys have ended stand the largest: they come last in the sorted tile, and nobody writes them. */
    if (count == TILE_KEYS) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            key[i] = flip<FROM>(in[begin + mine + i * WARP]);
    } else {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            key[i] = mine + i * WARP < count ? flip<FROM>(in[begin + mine + i * WARP]) : (Key)~(Key)0;
    }

    /* When all keys of the input have one digit here, they stay where they are. */
    if (board.counts[place * DIGITS + digit_of(flip<FROM>(in[begin]), place)] == n) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            if (mine + i * WARP < count) {
                out[begin + mine + i * WARP] = unflip<TO>(key[i]);
                if (VALUES)
                    values_out[begin + mine + i * WARP] = values_in[begin + mine + i * WARP];
            }
        return;
    }

    if (FREE) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            rank.put(i, mine + i * WARP < count ? atomicAdd(&masks[digit_of(key[i], place)], 1u) : 0);
    } else {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i += 2) {
            unsigned first, second;
            rank_two<false>(digit_of(key[i], place), digit_of(key[i + 1], place), masks, passed, &first, &second);
            rank.put(i, first);
            rank.put(i + 1, second);
        }
    }
    __syncthreads();

    /* Thread t for digit t. */
    unsigned sum = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        const unsigned own = FREE ? shared.masks[w][t] : shared.counts[w][t];
        shared.counts[w][t] = (unsigned short)sum;
        sum += own;
    }
    volatile unsigned long long *word = &board.words[(size_t)tile * DIGITS + t];
    if (tile > 0)
        *word = word_of(place, SUM, sum);
    const unsigned first = scan_block(sum, shared.sums);
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++)
        shared.counts[w][t] = (unsigned short)(shared.counts[w][t] + first);
    __syncthreads();

    /* All reads before the first write: the compiler cannot know that they are of different memory. */
#pragma unroll
    for (unsigned i = 0; i < PER_THREAD; i++)
        rank.add(i, passed[digit_of(key[i], place)]);
#pragma unroll
    for (unsigned i = 0; i < PER_THREAD; i++)
        if (!FREE || mine + i * WARP < count)
            sorted[padded(rank.get(i))] = key[i];
    if (VALUES) {
        unsigned value[PER_THREAD];
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            value[i] = mine + i * WARP < count ? values_in[begin + mine + i * WARP] : 0;
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            sorted_values[padded(rank.get(i))] = value[i];
    }
    /* Tile 0 stands behind the keys of smaller digits. */
    const unsigned before = tile > 0 ? look_back(board, tile, place)
                                     : scan_block(board.counts[place * DIGITS + t], shared.sums);
    *word = word_of(place, PREFIX, before + sum);
    shared.shifts[t] = before - first;
    __syncthreads();

    if (count == TILE_KEYS) {
#pragma unroll
        for (unsigned done = 0; done < PER_THREAD; done += STORES) {
            Key k[STORES];
            unsigned slot[STORES], value[STORES];
#pragma unroll
            for (unsigned i = 0; i < STORES; i++)
                k[i] = sorted[padded((done + i) * THREADS) + padded(t)];
#pragma unroll
            for (unsigned i = 0; i < STORES; i++) {
                slot[i] = shared.shifts[digit_of(k[i], place)] + (done + i) * THREADS + t;
                if (VALUES)
                    value[i] = sorted_values[padded((done + i) * THREADS) + padded(t)];
            }
#pragma unroll
            for (unsigned i = 0; i < STORES; i++) {
                out[slot[i]] = unflip<TO>(k[i]);
                if (VALUES)
                    values_out[slot[i]] = value[i];
            }
        }
    } else {
        for (unsigned p = t; p < count; p += THREADS) {
            const Key k = sorted[padded(p)];
            const unsigned slot = shared.shifts[digit_of(k, place)] + p;
            out[slot] = unflip<TO>(k);
            if (VALUES)
                values_out[slot] = sorted_values[padded(p)];
        }
    }
}

/* ---- the host -------------------------------------------------------------------------------------------------------------- */

/* From the device's pool, which keeps what is freed: allocating costs nothing the second time. */
static void *scratch(size_t bytes)
{
    void *memory = nullptr;
#ifndef __SIMT__
    static bool kept;
    if (!kept) {
        cudaMemPool_t pool;
        uint64_t all = UINT64_MAX;
        kept = cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) == cudaSuccess;
    }
#endif
    cudaMallocAsync(&memory, bytes, 0);
    return memory;
}

template <class Key, bool VALUES, enum order FROM, enum order TO, bool FREE, int PER_THREAD>
static void launch_place(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n,
                         unsigned place, struct board board)
{
    auto *kernel = sort_place<Key, VALUES, FROM, TO, FREE, PER_THREAD>;
    const unsigned bytes = padded(PER_THREAD * THREADS) * (sizeof(Key) + (VALUES ? 4 : 0));
    const unsigned tiles = (unsigned)((n + PER_THREAD * THREADS - 1) / (PER_THREAD * THREADS));
#ifndef __SIMT__
    static bool allowed;
    if (!allowed)
        allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) == cudaSuccess;
#endif
    kernel<<<tiles, THREADS, bytes>>>(in, out, values_in, values_out, n, place, board);
}

template <class Key, bool VALUES, enum order ORDER, int PER_THREAD>
static void sort_by(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    enum { PLACES = sizeof(Key) };
    const size_t tiles = (n + PER_THREAD * THREADS - 1) / (PER_THREAD * THREADS);
    const size_t words = tiles * DIGITS * 8, cleared = words + (PLACES * DIGITS + PLACES) * 4;
    char *memory = (char *)scratch(cleared);
    Key *keys = (Key *)scratch(n * sizeof *keys);
    unsigned *values = VALUES ? (unsigned *)scratch(n * sizeof *values) : nullptr;
    struct board board = {(unsigned long long *)memory, (unsigned *)(memory + words),
                          (unsigned *)(memory + words) + PLACES * DIGITS};
    cudaMemsetAsync(memory, 0, cleared);

    int processors = 1;
#ifndef __SIMT__
    static bool allowed;
    if (!allowed)
        allowed = cudaFuncSetAttribute(count_digits<Key, ORDER>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       COPIES_BYTES) == cudaSuccess;
    static int known;
    if (known == 0)
        cudaDeviceGetAttribute(&known, cudaDevAttrMultiProcessorCount, 0);
    processors = known;
#endif
    const size_t wanted = (n + COUNT_THREADS * COUNT_LOADS - 1) / (COUNT_THREADS * COUNT_LOADS);
    count_digits<Key, ORDER><<<(unsigned)(wanted < (size_t)processors ? wanted : (size_t)processors), COUNT_THREADS,
                               COPIES_BYTES>>>(in, board.counts, n);

    launch_place<Key, VALUES, ORDER, AS_UNSIGNED, !VALUES, PER_THREAD>(in, keys, values_in, values, n, 0, board);
    for (unsigned place = 1; place + 1 < PLACES; place++)
        if (place % 2 == 1)
            launch_place<Key, VALUES, AS_UNSIGNED, AS_UNSIGNED, false, PER_THREAD>(keys, out, values, values_out, n,
                                                                                   place, board);
        else
            launch_place<Key, VALUES, AS_UNSIGNED, AS_UNSIGNED, false, PER_THREAD>(out, keys, values_out, values, n,
                                                                                   place, board);
    launch_place<Key, VALUES, AS_UNSIGNED, ORDER, false, PER_THREAD>(keys, out, values, values_out, n, PLACES - 1,
                                                                     board);
    cudaFreeAsync(memory, 0);
    cudaFreeAsync(keys, 0);
    if (VALUES)
        cudaFreeAsync(values, 0);
}

enum {
#ifdef __SIMT__
    KEYS_EACH = 4,
    PAIRS_EACH = 4,
    LONGS_EACH = 4,
    FEW_EACH = 4,
#else
    KEYS_EACH = 48,
    PAIRS_EACH = 40,
    LONGS_EACH = 32,
    FEW_EACH = 16, /* of short inputs: more tiles than multiprocessors are wanted first */
#endif
    SHORT = 1 << 22
};

template <class Key, bool VALUES, enum order ORDER, int EACH>
static void launch_block(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    block_sort::sort_kernel<Key, VALUES, ORDER, EACH>
        <<<1, block_sort::THREADS>>>(in, out, values_in, values_out, (unsigned)n);
}

template <class Key, bool VALUES, enum order ORDER, int PER_THREAD>
static void sort(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    enum { MOST_EACH = block_sort::MOST_EACH<Key> };
    if (n == 0)
        return;
    if (n <= block_sort::FEW)
        launch_block<Key, VALUES, ORDER, 2>(in, out, values_in, values_out, n);
    else if (n <= MOST_EACH * block_sort::THREADS)
        launch_block<Key, VALUES, ORDER, MOST_EACH>(in, out, values_in, values_out, n);
    else if (n < SHORT)
        sort_by<Key, VALUES, ORDER, FEW_EACH>(in, out, values_in, values_out, n);
    else
        sort_by<Key, VALUES, ORDER, PER_THREAD>(in, out, values_in, values_out, n);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort<unsigned, false, AS_UNSIGNED, KEYS_EACH>(in, out, nullptr, nullptr, n);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort<unsigned, false, AS_SIGNED, KEYS_EACH>((const unsigned *)in, (unsigned *)out, nullptr, nullptr, n);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort<unsigned, false, AS_FLOAT, KEYS_EACH>((const unsigned *)in, (unsigned *)out, nullptr, nullptr, n);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    sort<unsigned, true, AS_UNSIGNED, PAIRS_EACH>(keys, keys_out, values, values_out, n);
}

#ifndef __SIMT__
/* Keys of 64 bits: no part of the lab, so it is found by a table of its own, as the parts are by theirs. */
static void radix_sort_long(const uint64_t *in, uint64_t *out, size_t n)
{
    sort<uint64_t, false, AS_UNSIGNED, LONGS_EACH>(in, out, nullptr, nullptr, n);
}

union part_value { /* see labs/support/call/parts.h */
    void *pointer;
    uint64_t integer;
    double real;
};

struct part {
    const char *name;
    void (*function)(void);
    uint64_t (*call)(const union part_value a[]);
    unsigned arguments, stock;
};

static uint64_t call_radix_sort_long(const union part_value a[])
{
    radix_sort_long((const uint64_t *)a[0].pointer, (uint64_t *)a[1].pointer, a[2].integer);
    return 0;
}

extern "C" {
extern __attribute__((visibility("default"))) const struct part more_parts[];
const struct part more_parts[] = {{"radix_sort_long", (void (*)(void))radix_sort_long, call_radix_sort_long, 3, 0},
                                  {nullptr, nullptr, nullptr, 0, 0}};
}
#endif
