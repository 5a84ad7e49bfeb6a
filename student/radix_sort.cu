/* radix_sort.cu: lab 5, sorting by scans. The contract is in labs/5-radix-sort/radix_sort.h.
 *
 * The loop                         one bit after another, the lowest first
 * Part 1    split                  by one bit: e, f, totalFalses, t, d
 * Part 2    sort_tile              32 splits in shared memory
 * Part 3    merge_tiles            two sorted tiles, bitonic
 * Part 4    radix_sort             32 splits of the whole array
 *           radix_sort_pairs       with values that travel along
 * Part 5    radix_sort_digits      up to 8 bits a pass: histograms, one scan, ranks by ballot
 * Part 6    radix_sort_int         keys whose bits are not in the order of the numbers
 *           radix_sort_float
 *
 * stock_scan_exclusive scans an array on the device; stock_block_scan scans one value a thread in a block. */
#include "radix_sort.h"
#include <string.h>

enum {
    THREADS = 256, /* of a block, where a thread handles one key by itself */
    WARP    = 32
};

/* Enough blocks for a thread a key. */
unsigned blocks_for(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * What radix_sort computes. It runs on the CPU and nothing calls it: it is here to be read. Each pass brings
 * the keys whose bit is 0 to the front and leaves everything else in its order. After the pass of bit b the
 * keys are sorted by their lowest b + 1 bits: those that differ in bit b have just been put in order, and
 * those that do not are in the order of their lower bits, which the pass has not disturbed.
 *
 *     in           4 7 2 6 3 5 1 0        100 111 010 110 011 101 001 000
 *     bit 0        4 2 6 0 7 3 5 1        100 010 110 000 111 011 101 001
 *     bit 1        4 0 5 1 2 6 7 3        100 000 101 001 010 110 111 011
 *     bit 2        0 1 2 3 4 5 6 7        000 001 010 011 100 101 110 111 */
void radix_sort_sequential(unsigned *keys, unsigned *scratch, size_t n)
{
    for (unsigned bit = 0; bit < KEY_BITS; bit++) {
        size_t to = 0;
        for (unsigned side = 0; side < 2; side++)
            for (size_t i = 0; i < n; i++)
                if ((keys[i] >> bit & 1) == side)
                    scratch[to++] = keys[i];
        memcpy(keys, scratch, n * sizeof *keys);
    }
}

/* ---- Part 1: split ----------------------------------------------------------------------------------
 *
 * Lab 4 moved the elements that are kept. A split moves the others too, behind them. For bit 0:
 *
 *     in                  4  7  2  6  3  5  1  0
 *     e   bit is 0        1  0  1  1  0  0  0  1
 *     f   scan of e       0  1  1  2  3  3  3  3        zeros before this key
 *     totalFalses         e[n - 1] + f[n - 1] = 1 + 3 = 4
 *     t   i - f + total   4  4  5  5  5  6  7  8        ones before this key, behind all zeros
 *     d   e ? f : t       0  4  1  2  5  6  7  3
 *     out                 4  2  6  0  7  3  5  1
 *
 * i - f[i] is the number of ones before key i: what stands before it and is no zero. f and t grow with i, so
 * neither group changes its order: the split is stable (Blelloch 1990; Harris et al. 2007). */

/* One thread a key: e[i] is 1 where the bit is 0. */
__global__ void flag_falses_kernel(const unsigned *in, unsigned *e, size_t n, unsigned bit)
{
    /* TODO: this thread's index as a size_t; e[i]. */
}

/* One thread a key: where key i goes. Only for i < n. */
__device__ size_t destination(const unsigned *e, const unsigned *f, size_t n, size_t i)
{
    size_t d = 0;

    /* TODO: totalFalses from the last elements of e and f, t for this i, and d. */

    return d;
}

__global__ void move_keys_kernel(const unsigned *in, const unsigned *e, const unsigned *f, unsigned *out,
                                 size_t n)
{
    /* TODO: out[d] = in[i]. */
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    /* TODO: nothing for n = 0. Else allocate e and f; flag, stock_scan_exclusive, move; free. */
}

/* ---- Part 2: a tile ---------------------------------------------------------------------------------
 *
 * The same within a block. A thread holds one key in a register; e, f and d are its own variables, and the
 * scan goes through shared memory. So does the move: write tile[d], wait, read tile[t]. */

/* One block of n threads, n <= TILE, any n. */
__global__ void sort_tile_kernel(const unsigned *in, unsigned *out)
{
    /* TODO: declare a tile of TILE keys in shared memory; load one key a thread. For each bit, from 0 on:
     * stock_block_scan(e, &falses) gives f and totalFalses; write the key to its place in the tile; wait;
     * take over the key at this thread's place. The barriers in the next stock_block_scan part this reading
     * from the next writing. Store the key. */
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    /* TODO: launch the kernel: one block of n threads. */
}

/* ---- Part 3: merge ----------------------------------------------------------------------------------
 *
 * Two sorted tiles, the second one turned round, go up and then down: a bitonic sequence. Compare each key of
 * the first half with the one `half` places on, and swap if it is larger. Now no key of the first half is
 * larger than any of the second, and both halves are bitonic again (Batcher 1968). Go on with quarters:
 *
 *     left 1 3 6 7, right 0 2 4 8        1  3  6  7  8  4  2  0
 *     stride 4                           1  3  2  0  8  4  6  7
 *     stride 2                           1  0  2  3  6  4  8  7
 *     stride 1                           0  1  2  3  4  6  7  8
 *
 * Every thread knows at once what it will compare: the places depend on the stride, never on the keys. Where
 * a tile is not full, the largest key of all stands in: it ends up last, where nobody stores it. */

enum : unsigned { LARGEST_KEY = 0xffffffffu };

/* One block of TILE threads; each loads two keys, makes one comparison a step, and stores two keys. */
__global__ void merge_tiles_kernel(const unsigned *left, unsigned left_n, const unsigned *right,
                                   unsigned right_n, unsigned *out)
{
    /* TODO: declare 2 * TILE keys in shared memory. Place t gets left[t], place 2 * TILE - 1 - t gets
     * right[t], or LARGEST_KEY where there is none. For each stride TILE, TILE/2, ..., 1: wait; thread t
     * compares places low = 2 * t - t % stride and low + stride, and swaps if they stand wrong. Wait; store
     * the first left_n + right_n keys. */
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    /* TODO: launch the kernel: one block of TILE threads. */
}

/* ---- Part 4: any length -----------------------------------------------------------------------------
 *
 * The loop, with a split a bit. Two arrays swap roles; in stays as it is. KEY_BITS is even, so when the
 * first split writes the scratch array, the last one writes out. */
void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    /* TODO: nothing for n = 0. Allocate a scratch array; split by each bit, from 0 on; free it. */
}

/* A split of pairs: a value goes where its key goes. */
__global__ void move_pairs_kernel(const unsigned *keys, const unsigned *values, const unsigned *e,
                                  const unsigned *f, unsigned *keys_out, unsigned *values_out, size_t n)
{
    /* TODO: as move_keys_kernel, with two arrays. */
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                      size_t n)
{
    /* TODO: as radix_sort, with scratch arrays for keys, values, e and f. */
}

/* ---- Part 5: digits ---------------------------------------------------------------------------------
 *
 * 32 passes move every key 32 times. A digit of 8 bits needs 4. A key then has 256 places to go. Its slot is
 *
 *     the keys with a smaller digit                                  in all tiles
 *   + the keys with the same digit in the tiles before its own
 *   + the keys with the same digit before it in its own tile         its rank
 *
 * Let counts[digit * tiles + tile] be the number of keys of `tile` with that digit. The exclusive scan of
 * this array, digit after digit and within a digit tile after tile, is the sum of the first two lines:
 *
 *     2 tiles        tile 0: 1 0 1 2     tile 1: 0 1 1 1        digits
 *     digit          0   0   1   1   2   2
 *     tile           0   1   0   1   0   1
 *     counts         1   1   2   3   1   0
 *     scan           0   1   2   4   7   8
 *
 * The rank comes from ballots, as in lab 4. A lane has to know which lanes of its warp hold its digit. They
 * are those that vote as it does on each bit of the digit. A warp goes through its section of the tile row by
 * row, 32 keys each, and counts in shared memory the keys of each digit that it has passed. Then a thread for
 * each digit adds these counts up, warp after warp.
 *
 * Keys that lie side by side in the tile go to as many places of the memory as there are digits. So they go to
 * shared memory first, sorted by their digit: from there, keys of the same digit go to the same place, side by
 * side (Satish, Harris & Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009). A long tile
 * has more of them, and leaves less counts to scan. */

enum {
    DIGIT_MOST = THREADS,        /* different digits, at most: 2^8, a thread each */
    TILE_WARPS = THREADS / WARP, /* of a block */
    ROWS       = 16,             /* keys of a thread */
    SECTION    = ROWS * WARP,    /* keys of a warp */
    KEYS       = ROWS * THREADS  /* keys of a tile */
};

/* One block of THREADS threads a tile of KEYS keys. */
__global__ void count_digits_kernel(const unsigned *in, unsigned *counts, size_t n, unsigned shift,
                                    unsigned digits)
{
    /* TODO: declare DIGIT_MOST counters in shared memory and clear them, one a thread. Wait. Each thread adds the
     * digits of its keys with atomicAdd. Wait. Store the first `digits` counters in counts, where `digit` of this
     * tile has the place digit * tiles + tile, and tiles is gridDim.x. */
}

/* One block of THREADS threads a tile of KEYS keys. starts is the exclusive scan of counts. */
__global__ void move_digits_kernel(const unsigned *in, const unsigned *starts, unsigned *out, size_t n,
                                   unsigned shift, unsigned digits)
{
    /* TODO: declare before[TILE_WARPS][DIGIT_MOST] in shared memory and clear it, a digit a thread; wait. Row by
     * row, a lane finds its `peers`, the lanes that hold the same digit: begin with a ballot of the lanes whose
     * key is there, and for each bit of the digit keep those that vote as this lane does. The key's rank in the
     * section is what before[warp][digit] says, and the peers below this lane; after a __syncwarp() the lane
     * without any raises before[warp][digit] by the number of peers, and another __syncwarp() ends the row.
     * Wait; turn the counts of a digit into those of the warps before. Their sum is the tile's count of the
     * digit, and a stock_block_scan tells where the digit begins in the sorted tile. Sort the tile in shared
     * memory; wait. The key at place p of the sorted tile goes to starts[digit * tiles + tile] and on by as many
     * places as p stands behind its digit's begin. */
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    /* TODO: nothing for n = 0. Allocate a scratch array of keys, and counts for 2^bits digits of each tile.
     * For each digit: count, scan counts in place, move. The last digit may have fewer bits. Choose the first
     * target so that the last pass writes out. */
}

/* ---- Part 6: other keys -----------------------------------------------------------------------------
 *
 * A radix sort compares bits as an unsigned number. Other types need a flip before and its reverse after,
 * such that the flipped bits stand in the order of the numbers.
 *
 *     int         the sign bit weighs -2^31 where unsigned has +2^31: flip it
 *     float       sign, exponent, fraction. Positive ones stand in their order, but before the negative: flip
 *                 the sign bit. Of negative ones the larger bits are the smaller number: flip all bits
 *
 *     float       -2          -0          +0          +1
 *     bits        c0000000    80000000    00000000    3f800000
 *     flipped     3fffffff    7fffffff    80000000    bf800000 */

/* One thread a key. */
__global__ void flip_ints_kernel(const unsigned *in, unsigned *out, size_t n)
{
    /* TODO: flip the sign bit. This flip is its own reverse. */
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    /* TODO: flip into a scratch array, sort it into another, flip that one into out. An array of int may be
     * read as one of unsigned. */
}

/* One thread a key. */
__global__ void flip_floats_kernel(const float *in, unsigned *out, size_t n)
{
    /* TODO: __float_as_uint gives the bits. */
}

/* The reverse. */
__global__ void unflip_floats_kernel(const unsigned *in, float *out, size_t n)
{
    /* TODO: which keys were negative can be seen from the flipped bits. */
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    /* TODO: flip, sort, flip back. */
}
