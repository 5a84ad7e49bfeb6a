/* onesweep.cuh: a pass of a radix sort from the lowest digit up, which reads and writes each key once: Onesweep (Adinets & Merrill,
 * "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022). Keys of the same digit keep their order.
 *
 * A block ranks the keys of a tile in shared memory, learns by a look-back of one thread a digit where the tile's keys of that
 * digit go, and writes them in runs. The limit is not the bytes, but the banks of shared memory that the ranks go through:
 * SORTS.md.
 *
 * PER_THREAD  keys of a thread. The longer the tile, the longer the runs of equal digits that are written.
 * BLOCKS      of a multiprocessor at once. A block waits much, at barriers and for its look-back. */
#ifndef FAST_ONESWEEP_CUH
#define FAST_ONESWEEP_CUH

#include "digits.cuh"

namespace onesweep
{

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

/* A tile says of a digit how many keys it has, or how many all tiles up to it have: in one word with the pass, so that a
 * word says by itself whether it is there, and one memset does for all passes. */
enum { SUM, PREFIX };

struct board {
    unsigned long long *words; /* of each digit of each tile */
    unsigned *counts;          /* of each digit of each place, in all of the input */
    unsigned *tickets;         /* of each pass */
};

static __device__ __forceinline__ unsigned long long word_of(unsigned pass, unsigned what, unsigned value)
{
    return (unsigned long long)(2 * pass + what + 1) << 32 | value;
}

/* ---- counts -------------------------------------------------------------------------------------------------------------- */

/* By one block of a grid. Each lane has counters of its own, in its own bank of shared memory, as far as there is room. */
template <class Key, enum order ORDER>
static __device__ __forceinline__ void count_digits(const Key *in, unsigned *counts, size_t n)
{
    enum { PLACES = sizeof(Key), BINS = PLACES * DIGITS, COPIES = COPIES_BYTES / 4 / BINS };
    unsigned *mine = (unsigned *)dynamic_memory(), *bins = mine;
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

/* ---- a pass ---------------------------------------------------------------------------------------------------------------- */

/* A pass over all keys, by one digit. Keys may be in groups, which are sorted each by itself.
 *
 * begins  of the groups in the input, at index group * digits, and the end; null: there is one group
 * starts  of each digit of each group in the output; null: as the counts of place `number` say */
struct pass {
    unsigned number;        /* below 2^30: its words are those with this number */
    unsigned shift, digits; /* a digit is (key >> shift) % digits */
    unsigned tiles;         /* of each group, at most */
    const unsigned *begins, *starts;
};

/* How many keys of this thread's digit stand in the tiles before. LOOKS tiles are asked for at once. */
static __device__ __forceinline__ unsigned look_back(const volatile unsigned long long *words, unsigned tile,
                                                     unsigned pass)
{
    const unsigned sum_is_there = 2 * pass + SUM + 1, prefix_is_there = 2 * pass + PREFIX + 1;
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

/* counts: keys of a digit that a warp has passed; then where its next one goes. */
struct tile_memory {
    unsigned masks[WARPS][DIGITS]; /* see rank_two */
    unsigned short counts[WARPS][DIGITS];
    unsigned shifts[DIGITS]; /* from a key's place in the sorted tile to its slot */
    unsigned sums[WARPS];
    unsigned ticket;
};

/* FREE: keys of the same digit may change their order, since nothing is sorted yet: the ranks are drawn from a counter, unless
 * many keys would take turns there. Not so with values, as equal keys keep the order of theirs. */
template <class Key, bool VALUES, enum order FROM, enum order TO, bool FREE, int PER_THREAD>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sort_pass(const Key *in, Key *out, const unsigned *values_in, unsigned *values_out, size_t n,
              struct pass pass, struct board board)
{
    enum {
        SECTION = PER_THREAD * WARP,
        TILE_KEYS = PER_THREAD * THREADS,
        ROWS = PER_THREAD % 16 == 0  ? 16
               : PER_THREAD % 8 == 0 ? 8
                                     : PER_THREAD /* between two looks */
    };
    __shared__ struct tile_memory shared;
    Key *sorted = (Key *)dynamic_memory();
    unsigned *sorted_values = (unsigned *)(sorted + padded(TILE_KEYS));
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    unsigned *masks = shared.masks[warp];
    unsigned short *passed = shared.counts[warp];
    Key key[PER_THREAD];
    halves<PER_THREAD> rank; /* in the warp, among the keys of its digit */

#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        shared.masks[w][t] = 0;
        shared.counts[w][t] = 0;
    }
    wait_for_kernels_before();
    let_next_kernel_begin();
    if (t == 0)
        shared.ticket = atomicAdd(&board.tickets[pass.number], 1u);
    __syncthreads();
    const unsigned group = pass.begins ? shared.ticket / pass.tiles : 0,
                   tile = shared.ticket - group * pass.tiles;
    const size_t begin = (pass.begins ? pass.begins[group * pass.digits] : 0) + (size_t)tile * TILE_KEYS,
                 end = pass.begins ? pass.begins[(group + 1) * pass.digits] : n;
    if (begin >= end)
        return;
    const unsigned count = end - begin < TILE_KEYS ? (unsigned)(end - begin) : (unsigned)TILE_KEYS;
    auto digit_at = [=](Key k) { return (unsigned)(k >> pass.shift) & (pass.digits - 1); };
    const unsigned mine = warp * SECTION + lane; /* and each WARP-th key behind it */

    /* Where keys have ended stand the largest: they come last in the sorted tile, and nobody writes them. */
    if (count == TILE_KEYS) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            key[i] = flip<FROM>(in[begin + mine + i * WARP]);
    } else {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            key[i] = mine + i * WARP < count ? flip<FROM>(in[begin + mine + i * WARP]) : (Key) ~(Key)0;
    }

    /* When all keys of the input have one digit here, they stay where they are. */
    if (!pass.starts && board.counts[pass.number * DIGITS + digit_at(flip<FROM>(in[begin]))] == n) {
        unsigned value[PER_THREAD];
        if (VALUES)
#pragma unroll
            for (unsigned i = 0; i < PER_THREAD; i++)
                value[i] = mine + i * WARP < count ? values_in[begin + mine + i * WARP] : 0;
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            if (mine + i * WARP < count) {
                out[begin + mine + i * WARP] = unflip<TO>(key[i]);
                if (VALUES)
                    values_out[begin + mine + i * WARP] = value[i];
            }
        return;
    }

    /* Whether a warp's keys have few digits is looked at now and then: a look at each row costs more than it gains. */
    const unsigned lower = (1u << lane) - 1;
    auto are_few = [](bool is_first) { return __popc(__ballot_sync(ALL, is_first)) <= FEW_DIGITS; };
    bool few = are_few((peers_by_ballots(digit_at(key[0])) & lower) == 0);
    if (FREE && (!few || count < TILE_KEYS)) {
#pragma unroll
        for (unsigned i = 0; i < PER_THREAD; i++)
            rank.put(i, mine + i * WARP < count ? atomicAdd(&masks[digit_at(key[i])], 1u) : 0);
    } else {
#pragma unroll
        for (unsigned from = 0; from < PER_THREAD; from += ROWS) {
            bool is_first = false;
            auto rank_rows = [&](auto rank_two_rows) {
#pragma unroll
                for (unsigned i = from; i < from + ROWS; i += 2) {
                    unsigned first, second;
                    is_first = rank_two_rows(digit_at(key[i]), digit_at(key[i + 1]), &first, &second);
                    rank.put(i, first);
                    rank.put(i + 1, second);
                }
            };
            if (FREE || few)
                rank_rows([=](unsigned digit, unsigned next, unsigned *first, unsigned *second) {
                    return rank_two_of_few(digit, next, passed, first, second);
                });
            else
                rank_rows([=](unsigned digit, unsigned next, unsigned *first, unsigned *second) {
                    return rank_two<false>(digit, next, masks, passed, first, second);
                });
            few = are_few(is_first);
        }
    }
    __syncthreads();

    /* Thread t for digit t. */
    unsigned sum = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        const unsigned own = shared.counts[w][t] + (FREE ? shared.masks[w][t] : 0);
        shared.counts[w][t] = (unsigned short)sum;
        sum += own;
    }
    volatile unsigned long long *words =
                                    &board.words[(size_t)group * pass.tiles * DIGITS + t], /* of this digit */
        *word = words + (size_t)tile * DIGITS;
    if (tile > 0)
        *word = word_of(pass.number, SUM, sum);
    const unsigned first = scan_block(sum, shared.sums);
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++)
        shared.counts[w][t] = (unsigned short)(shared.counts[w][t] + first);
    __syncthreads();

    /* All reads before the first write: the compiler cannot know that they are of different memory. */
#pragma unroll
    for (unsigned i = 0; i < PER_THREAD; i++)
        rank.add(i, passed[digit_at(key[i])]);
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
    unsigned before = 0;
    if (tile > 0)
        before = look_back(words, tile, pass.number);
    else if (!pass.starts)
        before = scan_block(board.counts[pass.number * DIGITS + t], shared.sums);
    else if (t < pass.digits)
        before = pass.starts[group * pass.digits + t];
    *word = word_of(pass.number, PREFIX, before + sum);
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
                slot[i] = shared.shifts[digit_at(k[i])] + (done + i) * THREADS + t;
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
            const unsigned slot = shared.shifts[digit_at(k)] + p;
            out[slot] = unflip<TO>(k);
            if (VALUES)
                values_out[slot] = sorted_values[padded(p)];
        }
    }
}

} // namespace onesweep
#endif
