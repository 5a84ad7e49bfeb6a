/* bucket_sort.cuh: sorts each bucket in shared memory: read once, written once.
 *
 * The keys of a bucket have the same highest bits. The bits below these say which bin a key goes to, of about as many bins as
 * keys, so most bins hold one key or two. What is left to do is to exchange neighbours: a thread takes a window of EACH keys,
 * and then the one that begins SHIFT further, so that a bin of up to FEW keys is in one of the two as a whole.
 *
 * What is sorted are words. Without values these are the keys. With values a word is the bits of the key that are not the
 * bucket's, and behind them where in the bucket it stood: so equal keys keep their order, and a value is found by its key. */
#ifndef FAST_BUCKET_SORT_CUH
#define FAST_BUCKET_SORT_CUH

#include "buckets.cuh"

namespace bucket_sort
{

enum {
#ifdef __SIMT__
    THREADS = 64,
    BIN_BITS = 10,
    PLACE_BITS = 11, /* of a key's place in its bucket */
#else
    THREADS = 512,
    BIN_BITS = 13,
    PLACE_BITS = 14,
#endif
    BLOCKS = 2, /* of a multiprocessor at once */
    WARPS = THREADS / WARP,
    EACH = 18,              /* keys of a thread */
    SHIFT = 10,             /* of the second windows */
    FEW = EACH - SHIFT + 1, /* keys of a bin, or it may lie across both windows */
    CROWD = 64,             /* keys of a bin: with more, atomics on it would take turns */
    AT_ONCE = 6,
    MOST = EACH * THREADS, /* keys of a bucket */
    BINS = 1 << BIN_BITS,
    SCAN_ROWS = BINS / 4 / THREADS /* of four bins, that a lane scans */
};

/* As many words as a thread reads from shared memory at once. Windows of 72 bytes, or 144: lanes use all banks. */
template <class Word> struct alignas(2 * sizeof(Word)) two_words {
    Word first, second;
};

template <class Word, bool VALUES> struct bucket_memory {
    two_words<Word> words[MOST / 2];
    union {
        uint4 bins[(BINS + WARP) / 4]; /* behind them one for each lane that has no key */
        struct {
            unsigned masks[WARPS][DIGITS]; /* see rank_two */
            unsigned short counts[WARPS][DIGITS];
        } ranks;
    };
    unsigned sums[WARPS], maxima[WARPS];
    unsigned values[VALUES ? MOST : 1];
};

/* Between keys and words. */
template <class Key, class Word, bool VALUES, enum order TO>
struct coder {
    unsigned low; /* bits of a key that are not the bucket's */

    __device__ __forceinline__ coder(const struct buckets::table &table) :
        low(8 * sizeof(Key) - table.bits){} __device__ __forceinline__ Word word(Key key, unsigned place)
            const {return VALUES ? (Word)(key & (((Key)1 << low) - 1)) << PLACE_BITS | place : (Word)key;}
__device__ __forceinline__ Key key(Word word, unsigned bucket) const
{
    return unflip<TO>(VALUES ? (Key)bucket << low | (Key)(word >> PLACE_BITS) : (Key)word);
}
__device__ __forceinline__ unsigned bin_shift() const
{
    return low - BIN_BITS + (VALUES ? PLACE_BITS : 0);
}
}; // namespace bucket_sort

template <class Word> static __device__ __forceinline__ void exchange(Word &low, Word &high)
{
    const Word less = low < high ? low : high;
    high = low < high ? high : low;
    low = less;
}

/* Sorts the EACH words from `first` on, when none has to go further than `rounds` places. */
template <class Word>
static __device__ __forceinline__ void sort_window(two_words<Word> *words, unsigned first, unsigned rounds)
{
    Word window[EACH];
#pragma unroll
    for (unsigned i = 0; i < EACH; i += 2) {
        const two_words<Word> two = words[(first + i) / 2];
        window[i] = two.first;
        window[i + 1] = two.second;
    }
#pragma unroll 1
    for (unsigned round = 0; round < rounds; round += 2) {
#pragma unroll
        for (unsigned i = 0; i + 1 < EACH; i += 2)
            exchange(window[i], window[i + 1]);
#pragma unroll
        for (unsigned i = 1; i + 1 < EACH; i += 2)
            exchange(window[i], window[i + 1]);
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i += 2)
        words[(first + i) / 2] = two_words<Word>{window[i], window[i + 1]};
}

/* Words of the same digit keep their order, as rank_two says. */
template <class Word, bool VALUES>
static __device__ __forceinline__ void sort_by_digit(bucket_memory<Word, VALUES> &shared, unsigned place)
{
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    Word *words = (Word *)shared.words, word[EACH];
    unsigned *masks = shared.ranks.masks[warp], slot[EACH];
    unsigned short *passed = shared.ranks.counts[warp];
    for (unsigned d = lane; d < DIGITS; d += WARP) {
        masks[d] = 0;
        passed[d] = 0;
    }
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        word[i] = words[(warp * EACH + i) * WARP + lane];
#pragma unroll
    for (unsigned i = 0; i < EACH; i += 2)
        rank_two<true>(digit_of(word[i], place), digit_of(word[i + 1], place), masks, passed, &slot[i],
                       &slot[i + 1]);
    __syncthreads();
    unsigned before = 0;
    for (unsigned first = 0; first < DIGITS; first += THREADS) { /* once, on a GPU */
        const unsigned digit = first + t;
        unsigned sum = 0;
        for (unsigned w = 0; w < WARPS && digit < DIGITS; w++) {
            const unsigned own = shared.ranks.counts[w][digit];
            shared.ranks.counts[w][digit] = (unsigned short)sum;
            sum += own;
        }
        const unsigned start = before + scan_block(sum, shared.sums);
        for (unsigned w = 0; w < WARPS && digit < DIGITS; w++)
            shared.ranks.counts[w][digit] = (unsigned short)(shared.ranks.counts[w][digit] + start);
        for (unsigned w = 0; w < WARPS; w++)
            before += shared.sums[w];
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        words[slot[i] + passed[digit_of(word[i], place)]] = word[i];
    __syncthreads();
}

/* Of a warp's bins, rows of four a lane: each becomes the sum of those before it. Returns the sum of all. Sums are below 2^16,
 * so two are scanned at once. */
static __device__ __forceinline__ unsigned scan_bins(uint4 (&counts)[SCAN_ROWS], unsigned *most)
{
    unsigned all = 0;
    *most = 0;
#pragma unroll
    for (unsigned r = 0; r < SCAN_ROWS; r += 2) {
        const uint4 a = counts[r], b = counts[r + 1];
        *most = max(*most, max(max(max(a.x, a.y), max(a.z, a.w)), max(max(b.x, b.y), max(b.z, b.w))));
        const unsigned own = a.x + a.y + a.z + a.w + ((b.x + b.y + b.z + b.w) << 16);
        const unsigned sum = scan_warp(own), sums = __shfl_sync(ALL, sum, WARP - 1);
        unsigned before = all + ((sum - own) & 0xFFFF);
        counts[r] = make_uint4(before, before + a.x, before + a.x + a.y, before + a.x + a.y + a.z);
        all += sums & 0xFFFF;
        before = all + ((sum - own) >> 16);
        counts[r + 1] = make_uint4(before, before + b.x, before + b.x + b.y, before + b.x + b.y + b.z);
        all += sums >> 16;
    }
    return all;
}

/* What is made of x is made anew from here on, and takes no registers until then. */
static __device__ __forceinline__ void forget(unsigned &x)
{
#ifdef __SIMT__
    (void)x;
#else
    asm volatile("" : "+r"(x));
#endif
}

/* A bucket after the other, in each block. Where registers do, the next one's keys are on their way while the windows are
 * sorted. Buckets that need more than this stay as they are, and their numbers go to table.hard. */
template <class Key, class Word, bool VALUES, enum order TO>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sort_buckets(Key *all, unsigned *all_values, struct buckets::table table)
{
    enum { EARLY = sizeof(Word) == 4 && !VALUES };
    bucket_memory<Word, VALUES> &shared = *(bucket_memory<Word, VALUES> *)dynamic_memory();
    Word *words = (Word *)shared.words, word[EACH];
    unsigned *bins = (unsigned *)shared.bins;
    const coder<Key, Word, VALUES, TO> coder(table);
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, buckets = 1u << table.bits;
    unsigned bin_shift = coder.bin_shift();
    unsigned bucket = blockIdx.x, begin, count, next_begin, next_end;
    int mine; /* whether a thread has a key i: i * THREADS < mine */
    auto find = [&](unsigned next) {
        next_begin = next < buckets ? table.starts[next] : 0;
        next_end = next < buckets ? table.starts[next + 1] : 0;
    };
    auto load = [&]() {
        begin = next_begin;
        count = next_end - begin;
        mine = (int)(count - t);
        const Key *from = all + begin + t;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            word[i] = coder.word(i * THREADS < mine ? from[i * THREADS] : 0, t + i * THREADS);
    };
    auto clear = [&]() {
#pragma unroll
        for (unsigned i = 0; i < BINS / 4; i += THREADS)
            shared.bins[i + t] = make_uint4(0, 0, 0, 0);
    };
    auto bin_of = [&](int i) {
        return i * THREADS < mine ? (unsigned)(word[i] >> bin_shift) % BINS : BINS + lane;
    };

    wait_for_kernels_before();
    let_next_kernel_begin();
    if (t < WARP)
        bins[BINS + t] = 0;
    find(bucket);
    load();
    clear();
    __syncthreads();
    while (bucket < buckets) {
        find(bucket + gridDim.x);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            atomicAdd(&bins[bin_of(i)], 1u);
        __syncthreads();

        uint4 counts[SCAN_ROWS], *row = &shared.bins[warp * SCAN_ROWS * WARP + lane];
        unsigned most;
#pragma unroll
        for (unsigned r = 0; r < SCAN_ROWS; r++)
            counts[r] = row[r * WARP];
        const unsigned sum = scan_bins(counts, &most);
        most = max_warp(most);
        if (lane == 0) {
            shared.sums[warp] = sum;
            shared.maxima[warp] = most;
        }
        __syncthreads();
        const unsigned before = sum_before(shared.sums);
        most = max_warp(lane < WARPS ? shared.maxima[lane] : 0);
        bool is_sorted = most <= CROWD;
        if (is_sorted) {
#pragma unroll
            for (unsigned r = 0; r < SCAN_ROWS; r++)
                row[r * WARP] = make_uint4(before + counts[r].x, before + counts[r].y, before + counts[r].z,
                                           before + counts[r].w);
            __syncthreads();

            forget(bin_shift);
#pragma unroll
            for (int done = 0; done < EACH; done += AT_ONCE) {
                unsigned slot[AT_ONCE];
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++)
                    slot[i] = atomicAdd(&bins[bin_of(done + i)], 1u);
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++)
                    if ((done + i) * THREADS < mine)
                        words[slot[i]] = word[done + i];
            }
            for (unsigned i = count + t; i < MOST; i += THREADS)
                words[i] = (Word) ~(Word)0; /* they stay behind the keys */
        }
        __syncthreads();

        const unsigned now = bucket, now_begin = begin + t, now_count = count,
                       rounds = is_sorted ? min(most, (unsigned)FEW) : 0;
        const int now_mine = mine;
        unsigned value[EACH];
        if (VALUES)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                value[i] = i * THREADS < now_mine ? all_values[now_begin + i * THREADS] : 0;
        bucket += gridDim.x;
        if (EARLY)
            load();
        clear();
        if (t * EACH < now_count && rounds > 1)
            sort_window(shared.words, t * EACH, rounds);
        __syncthreads();
        if (t * EACH + SHIFT < now_count && t + 1 < THREADS && rounds > 1)
            sort_window(shared.words, t * EACH + SHIFT, rounds);
        if (VALUES)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                shared.values[t + i * THREADS] = value[i];
        __syncthreads();
        if (is_sorted && most > FEW) { /* many equal keys, or keys that differ in their lowest bits alone */
            for (unsigned i = t; i + 1 < now_count; i += THREADS)
                is_sorted &= words[i] <= words[i + 1];
            is_sorted = __syncthreads_and(is_sorted);
        }
        if (!is_sorted && t == 0)
            table.hard[atomicAdd(table.hard_count, 1u)] = now;
        if (is_sorted) {
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (i * THREADS < now_mine) {
                    const Word w = words[t + i * THREADS];
                    all[now_begin + i * THREADS] = coder.key(w, now);
                    if (VALUES)
                        all_values[now_begin + i * THREADS] = shared.values[w % (1 << PLACE_BITS)];
                }
        }
        if (!EARLY)
            load();
    }
}

/* The buckets that sort_buckets has left: by digits, without those that all of a bucket share. */
template <class Key, class Word, bool VALUES, enum order TO>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sort_hard_buckets(Key *all, unsigned *all_values, struct buckets::table table)
{
    bucket_memory<Word, VALUES> &shared = *(bucket_memory<Word, VALUES> *)dynamic_memory();
    Word *words = (Word *)shared.words;
    const coder<Key, Word, VALUES, TO> coder(table);
    wait_for_kernels_before();
    const unsigned t = threadIdx.x, hard_count = *table.hard_count;
    for (unsigned h = blockIdx.x; h < hard_count; h += gridDim.x) {
        const unsigned bucket = table.hard[h], begin = table.starts[bucket],
                       count = table.starts[bucket + 1] - begin;
        const Key first = all[begin];
        Word differ = 0;
        for (unsigned i = t; i < MOST; i += THREADS) {
            const Key key = i < count ? all[begin + i] : first;
            words[i] = i < count ? coder.word(key, i) : (Word) ~(Word)0;
            differ |= coder.word(key ^ first, 0);
            if (VALUES)
                shared.values[i] = i < count ? all_values[begin + i] : 0;
        }
        __syncthreads();
        for (unsigned place = 0; place < sizeof(Word); place++)
            if (__syncthreads_or(digit_of(differ, place) != 0))
                sort_by_digit(shared, place);
        for (unsigned i = t; i < count; i += THREADS) {
            all[begin + i] = coder.key(words[i], bucket);
            if (VALUES)
                all_values[begin + i] = shared.values[words[i] % (1 << PLACE_BITS)];
        }
        __syncthreads();
    }
}

} // namespace bucket_sort
#endif
