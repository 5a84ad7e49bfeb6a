/* radix_sort.cu: radix sorts of keys of 32 and 64 bits, signed and float keys, and pairs.
 *
 * Keys whose highest bits differ well are sorted from the highest digit down: two passes bring the keys of a bucket together,
 * which are those with the same 15 highest bits, and then a block sorts each bucket in shared memory: a hybrid radix sort
 * (Stehle & Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017). Nothing has to keep its order on the
 * way, so ranks are cheap (partition.cuh); with values it has to (onesweep.cuh). Bytes of u32: 4n for the counts of the buckets,
 * 8n a pass, 8n for the buckets: 28n.
 *
 * Where a bucket is too long for a block, and for short inputs, each digit has its pass, from the lowest up (onesweep.cuh):
 * 36n. Keys of few values are counted before (heavy.cuh). The shortest inputs are sorted by one block (block_sort.cuh). */
#include "radix_sort.h"
#include "block_sort.cuh"
#include "bucket_sort.cuh"
#include "host.cuh"
#include "onesweep.cuh"
#include "partition.cuh"

#include <math.h>

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
    SOME_EACH = 4,
    SPREAD_EACH = 8,
    BUCKETS_FROM = 0,
    MORE_FROM = 0,
    LOOKERS_FEW = 1,
#else
    KEYS_EACH = 48,
    PAIRS_EACH = 40,
    LONGS_EACH = 32,
    SPREAD_EACH = 64,       /* of keys that go to their buckets */
    BUCKETS_FROM = 1 << 26, /* bytes that all passes by digits would read */
    MORE_FROM = 1 << 26,    /* bytes of keys of which more samples are taken */
    LOOKERS_FEW = 16,
    FEW_EACH = 16,  /* of short inputs: more tiles than multiprocessors are wanted first */
    SOME_EACH = 32, /* of those in between */
#endif
    SHORT = 3 << 18,
    LONG = 3 << 22,
    LOOKERS_MOST = 64, /* blocks that take more samples */
    FEW_BITS = 12      /* of a bucket: the more buckets there are, the more keys must be looked at */
};

static __device__ __forceinline__ uint4 *dynamic_memory()
{
    extern __shared__ uint4 memory[];
    return memory;
}

/* Launches a kernel whose blocks may begin before the last kernel has ended: each waits for it by wait_for_kernels_before(). */
template <class... Parameters, class... Arguments>
static void launch(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, unsigned bytes,
                   Arguments... arguments)
{
#if defined(__SIMT__)
    kernel<<<blocks, threads, bytes>>>(arguments...);
#else
    constexpr unsigned architectures[] = {__CUDA_ARCH_LIST__};
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = bytes;
    config.attrs = &early;
    config.numAttrs = architectures[0] >= 900; /* compiled for one that can wait */
    cudaLaunchKernelEx(&config, kernel, arguments...);
#endif
}

/* Where table.way is null, digits are counted. */
template <class Key, enum order ORDER>
static void launch_count(const Key *in, const struct buckets::table &table)
{
    const size_t counted = buckets::THREADS * buckets::LOADS, wanted = (table.n + counted - 1) / counted;
    static bool allowed;
    if (!allowed)
        allow(buckets::count_keys<Key, ORDER>, buckets::COUNTERS_BYTES);
    allowed = true;
    launch(buckets::count_keys<Key, ORDER>, (unsigned)(wanted < processors() ? wanted : processors()),
           buckets::THREADS, buckets::COUNTERS_BYTES, in, table);
}

/* ---- what kernels say to the host -------------------------------------------------------------------------------------------- */

enum { UNKNOWN = 0xFFFFFFFFu };

/* In memory of the host that kernels write to: a copy would take longer. */
static volatile struct buckets::answers *expect_answers()
{
    static struct buckets::answers *answers;
#ifdef __SIMT__ /* where each call frees what it allocates */
    answers = nullptr;
#endif
    if (!answers)
        cudaMallocHost((void **)&answers, sizeof *answers);
    *answers = {UNKNOWN, UNKNOWN, UNKNOWN};
    return answers;
}

static void forget_answers(volatile struct buckets::answers *answers)
{
#ifdef __SIMT__
    cudaFreeHost((void *)answers);
#else
    (void)answers;
#endif
}

/* Returns as soon as the answer is there. After an error there may be none. */
static unsigned wait_for(const volatile unsigned *answer)
{
#ifdef __SIMT__
    cudaStreamSynchronize(0);
#else
    while (*answer == UNKNOWN && cudaStreamQuery(0) == cudaErrorNotReady)
        ;
#endif
    return *answer;
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
    launch(kernel, groups * pass.tiles, onesweep::THREADS, bytes, in, out, values_in, values_out, n, pass,
           board);
}

/* counts  of each digit of each place; null: they are not made yet */
template <class Key, bool VALUES, enum order ORDER, int PER_THREAD>
static void sort_by_digits(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n,
                           unsigned *counts)
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
    if (counts) {
        board.counts = counts;
    } else {
        struct buckets::table table = {};
        table.n = n;
        table.counts = board.counts;
        launch_count<Key, ORDER>(in, table);
    }

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

template <class Key, bool VALUES, enum order ORDER, int PER_THREAD>
static void choose_digits(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n,
                          unsigned *counts)
{
    if (n < SHORT)
        sort_by_digits<Key, VALUES, ORDER, FEW_EACH>(in, out, values_in, values_out, n, counts);
    else if (n < LONG)
        sort_by_digits<Key, VALUES, ORDER, SOME_EACH>(in, out, values_in, values_out, n, counts);
    else
        sort_by_digits<Key, VALUES, ORDER, PER_THREAD>(in, out, values_in, values_out, n, counts);
}

/* ---- from the highest digit down ------------------------------------------------------------------------------------------- */

/* Of the samples, pairs in one bucket where no bucket is too long for a block: the mean of the longest that fit, and five
 * standard deviations. */
static unsigned most_pairs(const struct buckets::table &table, unsigned samples)
{
    const double uniform = (double)samples * samples / 2 / (double)(1u << table.bits),
                 room = (double)bucket_sort::MOST * (double)(1u << table.bits) / (double)table.n;
    return (unsigned)(uniform * room + 5 * sqrt(uniform * room));
}

/* The same of many more samples, which reveal smaller differences: were the buckets' lengths spread as a normal distribution, with
 * half of what the longest may differ from the mean as the standard deviation, some would be too long. */
static unsigned long long most_pairs_of_more(const struct buckets::table &table, unsigned more)
{
    const double uniform = (double)more * more / 2 / (double)(1u << table.bits),
                 room = (double)bucket_sort::MOST * (double)(1u << table.bits) / (double)table.n - 1;
    return (unsigned long long)(uniform * (1 + room * room / 4) + 5 * sqrt(uniform));
}

/* Launches the look at some keys and the count that it asks for. */
template <class Key, enum order ORDER>
static void look(const Key *in, const struct buckets::table &table, struct heavy::list<Key> *list)
{
    const bool few = table.bits <= FEW_BITS;
    const unsigned samples = few ? buckets::SAMPLES_FEW : buckets::SAMPLES_MOST,
                   blocks = few ? LOOKERS_FEW : LOOKERS_MOST,
                   more = blocks * buckets::THREADS * buckets::MORE_EACH, counters = 4 << table.bits,
                   slots = 2 * samples * sizeof(struct heavy::count),
                   bytes = counters > slots ? counters : slots;
    static bool allowed;
    if (!allowed)
        allow(buckets::look_at_some<Key, ORDER>, buckets::COUNTERS_BYTES);
    allowed = true;
    const bool wanted = table.n >= more && table.n * sizeof(Key) >= MORE_FROM;
    buckets::look_at_some<Key, ORDER><<<1 + (wanted ? blocks : 0), buckets::THREADS, bytes>>>(
        in, table, samples, most_pairs(table, samples), most_pairs_of_more(table, more), list);
    launch_count<Key, ORDER>(in, table);
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
    launch(partition::partition_keys<Key, ORDER, false, EACH>, tiles, partition::THREADS, bytes, in, keys,
           table);
    launch(partition::partition_keys<Key, AS_UNSIGNED, true, EACH>, dim3(group_tiles, groups),
           partition::THREADS, bytes, keys, out, table);
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
    for (auto *each : {kernel, hard_kernel})
        launch(each, bucket_sort::BLOCKS * processors(), bucket_sort::THREADS, bytes, keys, values, table);
}

/* The keys' buckets are all short enough. */
template <class Key, class Word, bool VALUES, enum order ORDER, int EACH>
static void sort_by_buckets(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out,
                            const struct buckets::table &table, unsigned longest)
{
    Key *keys = (Key *)scratch(table.n * sizeof *keys);
    if constexpr (VALUES) {
        unsigned *values = (unsigned *)scratch(table.n * sizeof *values);
        fill_buckets_stably<Key, ORDER, EACH>(in, keys, out, values_in, values, values_out, table, longest);
        cudaFreeAsync(values, 0);
    } else {
        fill_buckets<Key, ORDER, EACH>(in, keys, out, table, longest);
    }
    sort_buckets<Key, Word, VALUES, ORDER>(out, values_out, table);
    cudaFreeAsync(keys, 0);
}

/* ---- by what the keys are like --------------------------------------------------------------------------------------------- */

template <class Key, class Word, bool VALUES, enum order ORDER, int PER_THREAD, int BUCKETS_EACH>
static void sort(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n);

/* Keys alone, of few values: all that are not of these are sorted by themselves. */
template <class Key, class Word, enum order ORDER, int PER_THREAD, int BUCKETS_EACH>
static void sort_around_heavy(const Key *in, Key *out, size_t n, struct heavy::list<Key> *list,
                              volatile struct buckets::answers *answers)
{
    const unsigned blocks = heavy::BLOCKS * processors();
    Key *light = (Key *)scratch(n * sizeof *light);
    launch(heavy::separate<Key, ORDER>, blocks, heavy::THREADS, 0, in, light, n, list, &answers->light);
    const unsigned count = wait_for(&answers->light);
    if (count != UNKNOWN) {
        Key *sorted = (Key *)scratch((count + 1) * sizeof *sorted); /* it may be none */
        sort<Key, Word, false, ORDER, PER_THREAD, BUCKETS_EACH>(light, sorted, nullptr, nullptr, count);
        launch(heavy::merge<Key, ORDER>, blocks, heavy::THREADS, 0, sorted, out, n, list);
        cudaFreeAsync(sorted, 0);
    }
    cudaFreeAsync(light, 0);
}

/* Looks at some keys, and sorts the way that suits them. */
template <class Key, class Word, bool VALUES, enum order ORDER, int PER_THREAD, int BUCKETS_EACH>
static void sort_after_look(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out,
                            struct buckets::table table)
{
    enum { HEAD = 8, DIGIT_COUNTS = sizeof(Key) * DIGITS };
    const size_t n = table.n;
    const unsigned length = 1u << table.bits,
                   counters = length > DIGIT_COUNTS ? length : (unsigned)DIGIT_COUNTS;
    unsigned *memory = (unsigned *)scratch((HEAD + counters + 3 * length + 4 + DIGITS) * sizeof *memory);
    auto *list = VALUES ? nullptr : (struct heavy::list<Key> *)scratch(sizeof(struct heavy::list<Key>));
    table.way = memory;
    table.longest = memory + 1;
    table.placed = memory + 2;
    table.hard_count = memory + 3;
    table.look = (struct buckets::look *)(memory + 4);
    table.counts = table.hard = memory + HEAD; /* the counts are no longer needed then */
    table.sampled = table.counts + counters;
    table.bucket_room = table.sampled + length;
    table.starts = table.bucket_room + length;
    table.room = table.starts + length + 4;
    table.answers = expect_answers();
    cudaMemsetAsync(memory, 0, (HEAD + counters + length) * sizeof *memory);

    look<Key, ORDER>(in, table, list);
    const unsigned way = wait_for(&table.answers->way);
    if (way == buckets::BY_HEAVY_VALUES) {
        if constexpr (!VALUES)
            sort_around_heavy<Key, Word, ORDER, PER_THREAD, BUCKETS_EACH>(in, out, n, list, table.answers);
    } else if (way == buckets::BY_DIGITS) {
        choose_digits<Key, VALUES, ORDER, PER_THREAD>(in, out, values_in, values_out, n, table.counts);
    } else {
        launch(buckets::place_buckets, (length + buckets::PLACED - 1) / buckets::PLACED, buckets::THREADS, 0,
               table);
        const unsigned longest = wait_for(&table.answers->longest);
        if (longest > bucket_sort::MOST)
            choose_digits<Key, VALUES, ORDER, PER_THREAD>(in, out, values_in, values_out, n, nullptr);
        else
            sort_by_buckets<Key, Word, VALUES, ORDER, BUCKETS_EACH>(in, out, values_in, values_out, table,
                                                                    longest);
    }
    forget_answers(table.answers);
    cudaFreeAsync(memory, 0);
    if (list)
        cudaFreeAsync(list, 0);
}

/* ---- the host -------------------------------------------------------------------------------------------------------------- */

/* EACH keys a thread, or as many more as are needed. False: they are too many for one block. */
template <class Key, bool VALUES, enum order ORDER, int EACH>
static bool sort_in_a_block(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out,
                            size_t n)
{
    enum { STEP = 2, MOST = block_sort::MOST_EACH<Key> };
    if constexpr (EACH <= MOST) {
        if (n > EACH * block_sort::THREADS)
            return sort_in_a_block<Key, VALUES, ORDER, EACH + STEP>(in, out, values_in, values_out, n);
        block_sort::sort_kernel<Key, VALUES, ORDER, EACH>
            <<<1, block_sort::THREADS>>>(in, out, values_in, values_out, (unsigned)n);
    }
    return EACH <= MOST;
}

/* False: the buckets would be too many, or too short. */
template <class Key, class Word, bool VALUES> static bool plan_buckets(size_t n, struct buckets::table *table)
{
    enum { BITS_LEAST = 3 };
    *table = {};
    table->n = n;
    table->bits = BITS_LEAST;
    while (n >> table->bits > bucket_sort::MOST / 9 * 8) /* some are longer than others */
        table->bits++;
    while (VALUES && 8 * sizeof(Key) - table->bits + bucket_sort::PLACE_BITS > 8 * sizeof(Word))
        table->bits++;
    table->low = (table->bits + 1) / 2;
    return n * sizeof(Key) * sizeof(Key) >= BUCKETS_FROM && table->bits <= buckets::BITS_MOST &&
           n >> table->bits >= bucket_sort::MOST / 4;
}

/* PER_THREAD and BUCKETS_EACH: keys of a thread, of all digits one after the other, and on the way to buckets. */
template <class Key, class Word, bool VALUES, enum order ORDER, int PER_THREAD, int BUCKETS_EACH>
static void sort(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n)
{
    struct buckets::table table;
    if (n == 0 || sort_in_a_block<Key, VALUES, ORDER, 2>(in, out, values_in, values_out, n))
        return;
    if (plan_buckets<Key, Word, VALUES>(n, &table))
        sort_after_look<Key, Word, VALUES, ORDER, PER_THREAD, BUCKETS_EACH>(in, out, values_in, values_out,
                                                                            table);
    else
        choose_digits<Key, VALUES, ORDER, PER_THREAD>(in, out, values_in, values_out, n, nullptr);
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
