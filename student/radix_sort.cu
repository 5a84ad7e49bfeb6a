/* radix_sort.cu: lab 5, sorting by scans. The contract is in labs/5-radix-sort/radix_sort.h.
 *
 * The loop                         one bit after another, the lowest first
 * Part 1    split                  by one bit: e, f, totalFalses, t, d
 * Part 2    sort_tile              32 splits in shared memory
 * Part 3    merge_tiles            two sorted tiles, bitonic
 * Part 4    radix_sort             32 splits of the whole array
 *           radix_sort_pairs       with values that move along
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
 * What radix_sort computes. It runs on the CPU and nothing calls it: it is here to be read. Each pass moves
 * the keys whose bit is 0 to the front and keeps both groups in their order. After the pass of bit b the
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
 * Lab 4 moved the elements that are kept. A split also moves the others, after them. For bit 0:
 *
 *     in                  4  7  2  6  3  5  1  0
 *     e   bit is 0        1  0  1  1  0  0  0  1
 *     f   scan of e       0  1  1  2  3  3  3  3        zeros before this key
 *     totalFalses         e[n - 1] + f[n - 1] = 1 + 3 = 4
 *     t   i - f + total   4  4  5  5  5  6  7  8        ones before this key, after all zeros
 *     d   e ? f : t       0  4  1  2  5  6  7  3
 *     out                 4  2  6  0  7  3  5  1
 *
 * i - f[i] is the number of ones before key i: the keys before it that are no zeros. f and t grow with i, so
 * neither group changes its order: the split is stable (Blelloch 1990; Harris et al. 2007). */

/* One thread a key: e[i] is 1 where the bit is 0. */
__global__ void flag_falses_kernel(const unsigned *in, unsigned *e, size_t n, unsigned bit)
{
    /* TODO: e[i]. The index is a size_t. */
}

/* One thread a key: where key i goes. Only for i < n. */
__device__ size_t destination(const unsigned *e, const unsigned *f, size_t n, size_t i)
{
    size_t d = 0;

    /* TODO: how many zeros are there in all, and how many ones come before key i? */

    return d;
}

__global__ void move_keys_kernel(const unsigned *in, const unsigned *e, const unsigned *f, unsigned *out,
                                 size_t n)
{
    /* TODO: move this thread's key. */
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    /* TODO: the flags, their scan, the move. Which arrays do you need? And for n = 0? */
}

/* ---- Part 2: a tile ---------------------------------------------------------------------------------
 *
 * The same within a block. A thread holds one key in a register; e, f and d are its own variables, and the
 * scan goes through shared memory. So does the move: write tile[d], wait, read tile[t]. */

/* One block of n threads, n <= TILE, any n. */
__global__ void sort_tile_kernel(const unsigned *in, unsigned *out)
{
    /* TODO: a split for each bit, from 0 on, with TILE keys of shared memory to move through. Which values can
     * be kept in registers? stock_block_scan(e, &falses) gives f and totalFalses, must be called by all
     * threads, and begins with a barrier. Which other barrier does a split need, and which does that one
     * replace? */
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    /* TODO: launch the kernel: one block of n threads. */
}

/* ---- Part 3: merge ----------------------------------------------------------------------------------
 *
 * Two sorted tiles, the second one reversed, go up and then down: a bitonic sequence. Compare each key of
 * the first half with the one `half` slots further on, and swap if it is larger. Now no key of the first half is
 * larger than any of the second, and both halves are bitonic again (Batcher 1968). Continue with quarters:
 *
 *     left 1 3 6 7, right 0 2 4 8        1  3  6  7  8  4  2  0
 *     stride 4                           1  3  2  0  8  4  6  7
 *     stride 2                           1  0  2  3  6  4  8  7
 *     stride 1                           0  1  2  3  4  6  7  8
 *
 * Every thread knows in advance what it will compare: the slots depend on the stride, never on the keys. The
 * empty slots of a short tile hold the largest possible key, which ends up last and is not stored. */

enum : unsigned { LARGEST_KEY = 0xffffffffu };

/* One block of TILE threads; each loads two keys, makes one comparison a step, and stores two keys. */
__global__ void merge_tiles_kernel(const unsigned *left, unsigned left_n, const unsigned *right,
                                   unsigned right_n, unsigned *out)
{
    /* TODO: load both tiles into 2 * TILE slots of shared memory, as the handout's bitonic sequence, with
     * LARGEST_KEY in the empty slots. Which two slots does thread t compare at stride TILE, TILE/2, ..., 1?
     * Write them down for 4 threads first. Where must the block wait? Store the first left_n + right_n
     * keys. */
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
    /* TODO: a split for each bit. Which array does each write, if in stays and the last writes out? */
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
    /* TODO: as radix_sort, but flags and slots are needed for two moves. */
}

/* ---- Part 5: digits ---------------------------------------------------------------------------------
 *
 * 32 passes move every key 32 times. A digit of 8 bits needs 4. A pass then forms 256 groups. The slot of a key is
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
 * The rank comes from ballots, as in lab 4. A lane needs the lanes of its warp that hold the same digit. They
 * are those with the same vote on each bit of the digit. A warp goes through its section of the tile row by
 * row, 32 keys each, and counts in shared memory the keys of each digit that it has passed. Then a thread for
 * each digit adds these counts up, warp after warp.
 *
 * Neighbouring keys of a tile go to as many places in memory as there are digits. So they are sorted by their
 * digit in shared memory first: from there, keys of the same digit are written to neighbouring slots
 * (Satish, Harris & Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009). A long tile
 * has more of them, and leaves fewer counts to scan. */

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
    /* TODO: count the digits of this tile in shared memory, with atomicAdd, and store the first `digits` counters.
     * Which barriers are needed? One scan of counts must give the sum of all keys with smaller digits and of the
     * same digit in earlier tiles: where does the counter of `digit` of this tile go? There are gridDim.x tiles. */
}

/* One block of THREADS threads a tile of KEYS keys. starts is the exclusive scan of counts. */
__global__ void move_digits_kernel(const unsigned *in, const unsigned *starts, unsigned *out, size_t n,
                                   unsigned shift, unsigned digits)
{
    /* TODO: stage 1, with ROWS = 1. Find each lane's peers, and so the rank in its row: ballots, as in
     * the handout. Are all lanes there, whose keys are past the end? Keep
     * before[TILE_WARPS][DIGIT_MOST] in shared memory: it begins as 0, receives each warp's number of
     * keys of each digit, and after a barrier becomes the number in the warps before. Then the slot is
     * starts[digit * tiles + tile] plus two numbers. Stage 2, with ROWS = 16: a warp goes through its
     * section row by row, so before[warp][digit] grows after each row (which lane adds to it, and what
     * separates its reads and writes?). Do not write straight to the slots: sort the tile by its digits
     * in shared memory first, where a stock_block_scan of the tile's own counts gives the begin of each
     * digit. */
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    /* TODO: count, scan in place, move, for each digit; the last one may have fewer bits. The last pass must write
     * out, whether the number of passes is even or odd: which array does the first one write? How many counts are
     * there for tiles of KEYS keys? */
}

/* ---- Part 6: other keys -----------------------------------------------------------------------------
 *
 * A radix sort compares bits as an unsigned number. Other types need a flip before and its reverse after,
 * so that the flipped bits sort like the numbers.
 *
 *     int         the sign bit weighs -2^31 where unsigned has +2^31: flip it
 *     float       sign, exponent, fraction. Positive ones are in their order, but before the negative: flip
 *                 the sign bit. For negative ones larger bits mean a smaller number: flip all bits
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
    /* TODO: a map, the sort, a map. Which arrays do you need between them? An array of int may be read as one of
     * unsigned. */
}

/* One thread a key. */
__global__ void flip_floats_kernel(const float *in, unsigned *out, size_t n)
{
    /* TODO: which bits are flipped? __float_as_uint gives them. */
}

/* The reverse. */
__global__ void unflip_floats_kernel(const unsigned *in, float *out, size_t n)
{
    /* TODO: undo the flip. How does a flipped key show its sign? */
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    /* TODO: flip, sort, flip back. */
}
