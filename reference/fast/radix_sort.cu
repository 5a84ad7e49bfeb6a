/* radix_sort.cu: radix sorts of keys of 32 and 64 bits, signed and float keys, and pairs.
 *
 * Keys whose highest bits differ well are sorted from the highest digit down: two passes bring the keys of a bucket together,
 * which are those with the same 15 highest bits, and then a block sorts each bucket in shared memory: a hybrid radix sort
 * (Stehle & Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017). Nothing has to keep its order on the
 * way, so ranks are cheap (partition.cuh); with values it has to (onesweep.cuh). Bytes of u32: 4n for the counts of the buckets,
 * 8n a pass, 8n for the buckets: 28n.
 *
 * Where a bucket is too long for a block, and for short inputs, each digit has its pass, from the lowest up (onesweep.cuh):
 * 36n. The shortest inputs are sorted by one block (block_sort.cuh). */
#include "radix_sort.h"
#include "block_sort.cuh"
#include "bucket_sort.cuh"
#include "onesweep.cuh"
#include "partition.cuh"

#include <math.h>

static __device__ __forceinline__ uint4 *dynamic_memory()
{
    extern __shared__ uint4 memory[];
    return memory;
}

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

/* So much dynamic shared memory is more than a kernel may have without asking. */
template <class Kernel> static void allow(Kernel *kernel, unsigned bytes)
{
#ifdef __SIMT__
    (void)kernel;
    (void)bytes;
#else
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
#endif
}

static unsigned processors()
{
    static int known;
    if (known == 0)
        cudaDeviceGetAttribute(&known, cudaDevAttrMultiProcessorCount, 0);
    return (unsigned)known;
}

/* ---- from the lowest digit up ---------------------------------------------------------------------------------------------- */

template <class Key, bool VALUES, enum order FROM, enum order TO, bool FREE, int PER_THREAD>
static void launch_pass(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n,
                        unsigned groups, struct onesweep::pass pass, struct onesweep::board board)
{
    auto *kernel = onesweep::sort_pass<Key, VALUES, FROM, TO, FREE, PER_THREAD>;
    const unsigned bytes = padded(PER_THREAD * onesweep::THREADS) * (sizeof(Key) + (VALUES ? 4 : 0));
    static bool allowed;
    if (!allowed)
        allow(kernel, bytes);
    allowed = true;
    kernel<<<groups * pass.tiles, onesweep::THREADS, bytes>>>(in, out, values_in, values_out, n, pass, board);
}

template <class Key, bool VALUES, enum order ORDER, int PER_THREAD>
static void sort_by_digits(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    enum { PLACES = sizeof(Key), TILE_KEYS = PER_THREAD * onesweep::THREADS };
    const unsigned tiles = (unsigned)((n + TILE_KEYS - 1) / TILE_KEYS);
    const size_t words = (size_t)tiles * DIGITS * 8, cleared = words + (PLACES * DIGITS + PLACES) * 4;
    char *memory = (char *)scratch(cleared);
    Key *keys = (Key *)scratch(n * sizeof *keys);
    unsigned *values = VALUES ? (unsigned *)scratch(n * sizeof *values) : nullptr;
    struct onesweep::board board = {(unsigned long long *)memory, (unsigned *)(memory + words),
                                    (unsigned *)(memory + words) + PLACES * DIGITS};
    cudaMemsetAsync(memory, 0, cleared);

    static bool allowed;
    if (!allowed)
        allow(onesweep::count_digits<Key, ORDER>, onesweep::COPIES_BYTES);
    allowed = true;
    const size_t counted = onesweep::COUNT_THREADS * onesweep::COUNT_LOADS,
                 wanted = (n + counted - 1) / counted;
    onesweep::count_digits<Key, ORDER>
        <<<(unsigned)(wanted < processors() ? wanted : processors()), onesweep::COUNT_THREADS,
           onesweep::COPIES_BYTES>>>(in, board.counts, n);

    struct onesweep::pass pass = {0, 0, DIGITS, tiles, nullptr, nullptr};
    auto next = [&]() {
        pass.number++;
        pass.shift += DIGIT_BITS;
        return pass;
    };
    launch_pass<Key, VALUES, ORDER, AS_UNSIGNED, !VALUES, PER_THREAD>(in, keys, values_in, values, n, 1, pass,
                                                                      board);
    for (unsigned place = 1; place + 1 < PLACES; place += 2) {
        launch_pass<Key, VALUES, AS_UNSIGNED, AS_UNSIGNED, false, PER_THREAD>(keys, out, values, values_out,
                                                                              n, 1, next(), board);
        launch_pass<Key, VALUES, AS_UNSIGNED, AS_UNSIGNED, false, PER_THREAD>(out, keys, values_out, values,
                                                                              n, 1, next(), board);
    }
    launch_pass<Key, VALUES, AS_UNSIGNED, ORDER, false, PER_THREAD>(keys, out, values, values_out, n, 1,
                                                                    next(), board);
    cudaFreeAsync(memory, 0);
    cudaFreeAsync(keys, 0);
    if (VALUES)
        cudaFreeAsync(values, 0);
}

/* ---- from the highest digit down ------------------------------------------------------------------------------------------- */

/* Of the samples, pairs in one bucket where no bucket is too long for a block: the mean of the longest that fit, and five
 * standard deviations. */
static unsigned most_pairs(const struct buckets::table &table)
{
    const double samples = buckets::THREADS * buckets::SAMPLES_EACH,
                 uniform = samples * samples / 2 / (double)(1u << table.bits),
                 room = (double)bucket_sort::MOST * (double)(1u << table.bits) / (double)table.n;
    return (unsigned)(uniform * room + 5 * sqrt(uniform * room));
}

/* Counts and places. Returns how many keys the longest bucket has; n where that is not known. */
template <class Key, enum order ORDER>
static unsigned make_buckets(const Key *in, const struct buckets::table &table)
{
    const unsigned length = 1u << table.bits, bytes = length * 4, threads = buckets::THREADS;
    static bool allowed;
    if (!allowed) {
        allow(buckets::look_at_some<Key, ORDER>, 4 << buckets::BITS_MOST);
        allow(buckets::count_buckets<Key, ORDER>, 4 << buckets::BITS_MOST);
    }
    allowed = true;
    buckets::look_at_some<Key, ORDER><<<1, threads, bytes>>>(in, table, most_pairs(table));
    buckets::count_buckets<Key, ORDER><<<processors(), threads, bytes>>>(in, table);
    buckets::place_buckets<<<(length + buckets::PLACED - 1) / buckets::PLACED, threads>>>(table);
    unsigned longest;
    cudaMemcpy(&longest, table.longest, sizeof longest, cudaMemcpyDeviceToHost);
    return longest;
}

/* Keys alone, by the bits of their bucket: in -> keys -> out. */
template <class Key, enum order ORDER, int EACH>
static void fill_buckets(const Key *in, Key *keys, Key *out, const struct buckets::table &table,
                         unsigned longest)
{
    enum { TILE_KEYS = EACH * partition::THREADS };
    const unsigned groups = 1u << (table.bits - table.low), bytes = padded(TILE_KEYS) * sizeof(Key);
    static bool allowed;
    if (!allowed) {
        allow(partition::partition_keys<Key, ORDER, false, EACH>, bytes);
        allow(partition::partition_keys<Key, AS_UNSIGNED, true, EACH>, bytes);
    }
    allowed = true;
    const unsigned tiles = (unsigned)((table.n + TILE_KEYS - 1) / TILE_KEYS),
                   group_tiles = ((longest << table.low) + WARP + TILE_KEYS - 1) / TILE_KEYS;
    partition::partition_keys<Key, ORDER, false, EACH><<<tiles, partition::THREADS, bytes>>>(in, keys, table);
    partition::partition_keys<Key, AS_UNSIGNED, true, EACH>
        <<<dim3(group_tiles, groups), partition::THREADS, bytes>>>(keys, out, table);
}

/* The same with values, stably. */
template <class Key, enum order ORDER, int PER_THREAD>
static void fill_buckets_stably(const Key *in, Key *keys, Key *out, const unsigned *values_in,
                                unsigned *values, unsigned *values_out, const struct buckets::table &table,
                                unsigned longest)
{
    enum { TILE_KEYS = PER_THREAD * onesweep::THREADS, PASSES = 2 };
    const unsigned groups = 1u << (table.bits - table.low), low_digits = 1u << table.low,
                   shift = 8 * sizeof(Key) - table.bits;
    const unsigned tiles = (unsigned)((table.n + TILE_KEYS - 1) / TILE_KEYS),
                   group_tiles = ((longest << table.low) + TILE_KEYS - 1) / TILE_KEYS;
    const size_t most_tiles = tiles > groups * group_tiles ? tiles : groups * group_tiles,
                 words = most_tiles * DIGITS * 8, cleared = words + PASSES * 4;
    char *memory = (char *)scratch(cleared);
    struct onesweep::board board = {(unsigned long long *)memory, nullptr, (unsigned *)(memory + words)};
    cudaMemsetAsync(memory, 0, cleared);
    launch_pass<Key, true, ORDER, AS_UNSIGNED, false, PER_THREAD>(
        in, keys, values_in, values, table.n, 1, {0, shift + table.low, groups, tiles, nullptr, table.room},
        board);
    launch_pass<Key, true, AS_UNSIGNED, AS_UNSIGNED, false, PER_THREAD>(
        keys, out, values, values_out, table.n, groups,
        {1, shift, low_digits, group_tiles, table.starts, table.bucket_room}, board);
    cudaFreeAsync(memory, 0);
}

template <class Key, class Word, bool VALUES, enum order ORDER>
static void sort_buckets(Key *keys, unsigned *values, const struct buckets::table &table)
{
    auto *kernel = bucket_sort::sort_buckets<Key, Word, VALUES, ORDER>,
         *hard_kernel = bucket_sort::sort_hard_buckets<Key, Word, VALUES, ORDER>;
    const unsigned bytes = sizeof(bucket_sort::bucket_memory<Word, VALUES>);
    static bool allowed;
    if (!allowed) {
        allow(kernel, bytes);
        allow(hard_kernel, bytes);
    }
    allowed = true;
    kernel<<<bucket_sort::BLOCKS * processors(), bucket_sort::THREADS, bytes>>>(keys, values, table);
    hard_kernel<<<bucket_sort::BLOCKS * processors(), bucket_sort::THREADS, bytes>>>(keys, values, table);
}

/* False, with nothing sorted: some bucket is too long, or all are short. */
template <class Key, class Word, bool VALUES, enum order ORDER, int EACH>
static bool sort_by_buckets(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out,
                            size_t n)
{
    enum { HEAD = 4, BITS_LEAST = 3 };
    struct buckets::table table = {};
    table.n = n;
    table.bits = BITS_LEAST;
    while (n >> table.bits > bucket_sort::MOST / 9 * 8) /* some are longer than others */
        table.bits++;
    while (VALUES && 8 * sizeof(Key) - table.bits + bucket_sort::PLACE_BITS > 8 * sizeof(Word))
        table.bits++;
    table.low = (table.bits + 1) / 2;
    if (table.bits > buckets::BITS_MOST || n >> table.bits < bucket_sort::MOST / 4)
        return false;
    const unsigned length = 1u << table.bits;
    unsigned *memory = (unsigned *)scratch((HEAD + 3 * length + 4 + DIGITS) * sizeof *memory);
    table.skipped = memory;
    table.longest = memory + 1;
    table.hard_count = memory + 2;
    table.counts = table.hard = memory + HEAD; /* nobody needs the counts any longer then */
    table.bucket_room = table.counts + length;
    table.starts = table.bucket_room + length;
    table.room = table.starts + length + 4;
    cudaMemsetAsync(memory, 0, (HEAD + length) * sizeof *memory);

    const unsigned longest = make_buckets<Key, ORDER>(in, table);
    const bool fits = longest <= bucket_sort::MOST;
    if (fits) {
        Key *keys = (Key *)scratch(n * sizeof *keys);
        if constexpr (VALUES) {
            unsigned *values = (unsigned *)scratch(n * sizeof *values);
            fill_buckets_stably<Key, ORDER, EACH>(in, keys, out, values_in, values, values_out, table,
                                                  longest);
            cudaFreeAsync(values, 0);
        } else {
            fill_buckets<Key, ORDER, EACH>(in, keys, out, table, longest);
        }
        sort_buckets<Key, Word, VALUES, ORDER>(out, values_out, table);
        cudaFreeAsync(keys, 0);
    }
    cudaFreeAsync(memory, 0);
    return fits;
}

/* ---- the host -------------------------------------------------------------------------------------------------------------- */

#ifdef __SIMT__
typedef uint64_t pair_word; /* the buckets of short inputs have few bits */
#else
typedef unsigned pair_word;
#endif

enum {
#ifdef __SIMT__
    KEYS_EACH = 4,
    PAIRS_EACH = 4,
    LONGS_EACH = 4,
    FEW_EACH = 4,
    SPREAD_EACH = 8,
    BUCKETS_FROM = 0,
#else
    KEYS_EACH = 48,
    PAIRS_EACH = 40,
    LONGS_EACH = 32,
    SPREAD_EACH = 64,       /* of keys that go to their buckets */
    BUCKETS_FROM = 1 << 23, /* bytes of keys */
    FEW_EACH = 16,          /* of short inputs: more tiles than multiprocessors are wanted first */
#endif
    SHORT = 1 << 22
};

template <class Key, bool VALUES, enum order ORDER, int EACH>
static void launch_block(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    block_sort::sort_kernel<Key, VALUES, ORDER, EACH>
        <<<1, block_sort::THREADS>>>(in, out, values_in, values_out, (unsigned)n);
}

/* PER_THREAD and BUCKETS_EACH: keys of a thread, of all digits one after the other, and on the way to buckets. */
template <class Key, class Word, bool VALUES, enum order ORDER, int PER_THREAD, int BUCKETS_EACH>
static void sort(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    enum { MOST_EACH = block_sort::MOST_EACH<Key> };
    if (n == 0)
        return;
    if (n <= block_sort::FEW)
        launch_block<Key, VALUES, ORDER, 2>(in, out, values_in, values_out, n);
    else if (n <= MOST_EACH * block_sort::THREADS)
        launch_block<Key, VALUES, ORDER, MOST_EACH>(in, out, values_in, values_out, n);
    else if (n * sizeof(Key) >= BUCKETS_FROM &&
             sort_by_buckets<Key, Word, VALUES, ORDER, BUCKETS_EACH>(in, out, values_in, values_out, n))
        return;
    else if (n < SHORT)
        sort_by_digits<Key, VALUES, ORDER, FEW_EACH>(in, out, values_in, values_out, n);
    else
        sort_by_digits<Key, VALUES, ORDER, PER_THREAD>(in, out, values_in, values_out, n);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort<unsigned, unsigned, false, AS_UNSIGNED, KEYS_EACH, SPREAD_EACH>(in, out, nullptr, nullptr, n);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort<unsigned, unsigned, false, AS_SIGNED, KEYS_EACH, SPREAD_EACH>((const unsigned *)in, (unsigned *)out,
                                                                       nullptr, nullptr, n);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort<unsigned, unsigned, false, AS_FLOAT, KEYS_EACH, SPREAD_EACH>((const unsigned *)in, (unsigned *)out,
                                                                      nullptr, nullptr, n);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                      size_t n)
{
    sort<unsigned, pair_word, true, AS_UNSIGNED, PAIRS_EACH, PAIRS_EACH>(keys, keys_out, values, values_out,
                                                                         n);
}

#ifndef __SIMT__
/* Keys of 64 bits: no part of the lab, so it is found by a table of its own, as the parts are by theirs. */
static void radix_sort_long(const uint64_t *in, uint64_t *out, size_t n)
{
    sort<uint64_t, uint64_t, false, AS_UNSIGNED, LONGS_EACH, LONGS_EACH>(in, out, nullptr, nullptr, n);
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
const struct part more_parts[] = {
    {"radix_sort_long", (void (*)(void))radix_sort_long, call_radix_sort_long, 3, 0},
    {nullptr, nullptr, nullptr, 0, 0}};
}
#endif
