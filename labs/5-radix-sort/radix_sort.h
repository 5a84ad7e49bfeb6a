/* radix_sort.h: the contract of lab 5. You implement these functions in student/radix_sort.cu.
 *
 * Keys are unsigned numbers of 32 bits and are sorted upwards, where nothing else is said. Bit 0 is the
 * lowest. A sort is stable when equal keys keep the order that they have in the input.
 *
 * TILE is how many elements a tile has: 64, 512 or 1024. Your file is built and judged with each of the three, so it
 * may rely on none of them; `make run ... TILE=64` replays a failure with another tile than 512. Efficiency is judged
 * with 512.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream and may
 * return before they end. Work in another stream begins after what the default stream holds already, and the
 * default stream or the host waits for it. Arrays are aligned as their elements need, and no better. They do not
 * overlap. Inputs are only read. Scratch memory is yours to allocate with cudaMalloc and to free with cudaFree
 * before you return.
 *
 * The harness gives you scans, so that you need none of your own: see labs/stock/stock_scan.h. sort_tile may call
 * stock_block_scan, merge_tiles nothing of it, and all other parts its scans, of blocks and of whole arrays. Any
 * other call is refused, and so is stock_sort in all of this lab. Work is the number of additions that the stock
 * scans of whole arrays count as, in all of your calls to them together. A barrier is counted once for the block,
 * not once for each thread. Global elements are those that threads read and write in global memory, each access
 * counted; copies and fills within the device count, too. Blocks are those of all launches together.
 *
 * Kernels do the work, and their threads share it. Span is the longest chain of memory accesses, global and shared, and
 * of combines in which each comes after the one before. "After" means: later in the same thread, or in a thread that
 * has met the other one since, at a barrier or through a flag. One thread that loops over n elements has a span of at
 * least n, whatever the other threads do. The bounds:
 *     from 64 elements on       the span is at most nine tenths of all accesses and combines, and no thread makes more
 *                               than nine tenths of the combines that join two parts, or of the writes to outputs
 *     with more than 500        the same, with one half in the place of nine tenths
 *     from 40000 elements on    no block makes more than nine tenths of any of these three
 * What the busiest thread executes is bounded, too, in instructions as compiled for the CPU device, all launches
 * together and whatever they do. The bound is 4n, at least 4096, in merge_tiles and 64n, at least 32768, in sort_tile
 * from 500 elements on, 2n, at least 8192, in split from 3000 on, and 20n + 65536 in the sorts of any length from
 * 40000 on. A chain of instructions from thread to thread may have 64 more for each tile. A loop over the whole input
 * takes more, by shuffles or plain arithmetic as well, in one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. */
#ifndef RADIX_SORT_H
#define RADIX_SORT_H

#include "lab.h"
#include "stock_scan.h"

#define KEY_BITS 32

#ifdef __cplusplus
extern "C" {
#endif

/* split: first all keys whose bit is 0, then all whose bit is 1, each group in the order of the input.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys
 * n         any length, 0 <= n < 2^32
 * bit       0 <= bit < 32
 * Graded    correct, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024 and at most 64 bytes to the host;
 *           clean; efficient: at most 2n + 2048 additions, which is one stock scan of the keys of whole blocks */
void split(const unsigned *in, unsigned *out, size_t n, unsigned bit);

/* sort_tile: sorts one tile, in one block and in shared memory.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys
 * n         1 <= n <= TILE, any length
 * Graded    correct, with a span of at most 16n + 4096, and at most as many accesses of one thread to its local arrays;
 *           clean; efficient: at most 32 (2 log2 TILE + 4) barriers (704 when TILE is 512), 1 block and 3n + 64 global
 *           elements */
void sort_tile(const unsigned *in, unsigned *out, size_t n);

/* merge_tiles: merges two sorted tiles, in one block and in shared memory, with no more barriers than a bitonic merge
 * needs.
 *
 * left      device pointer to left_n keys, sorted
 * right     device pointer to right_n keys, sorted
 * out       device pointer to left_n + right_n keys
 * left_n, right_n    0 to TILE each, any lengths; together at least 1
 * Graded    correct, with a span of at most left_n + right_n + 64; clean; efficient: at most log2(2 TILE) + 1
 *           barriers (11 when TILE is 512), 1 block and 3 (left_n + right_n) + 64 global elements */
void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out);

/* radix_sort: sorts any number of keys, with no more additions than a split for each bit makes.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys
 * n         any length, 0 <= n < 2^32
 * Graded    correct, with a span of at most 32 (n / 8 + 16 ceil(n / TILE) + 1024) and at most 4096 bytes to the
 *           host; clean; efficient: at most 64n + 65536 additions, which is 32 stock scans of the keys of whole
 *           blocks */
void radix_sort(const unsigned *in, unsigned *out, size_t n);

/* radix_sort_pairs: sorts keys, stably, and moves each one's value along with it.
 *
 * keys, values            device pointers to n elements each; values[i] belongs to keys[i]
 * keys_out, values_out    device pointers to n elements each
 * n                       any length, 0 <= n < 2^32
 * Graded    correct, with a span of at most 32 (n / 8 + 16 ceil(n / TILE) + 1024) and at most 4096 bytes to the
 *           host; clean; efficient: at most 64n + 65536 additions, which is 32 stock scans of the keys of whole
 *           blocks */
void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                      size_t n);

/* radix_sort_digits: sorts with no more additions than by digits of several bits: ceil(32 / bits) passes, each with a
 * histogram of the digits in every tile and one scan of all histograms.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys
 * n         any length, 0 <= n < 2^32
 * bits      1 <= bits <= 8, of a digit; the last digit has fewer where bits does not divide 32
 * Graded    correct, with a span of at most 32 (n / 8 + 16 ceil(n / TILE) + 1024) and at most 4096 bytes to the
 *           host; clean; efficient: at most 2 ceil(32 / bits) 2^bits ceil(n / 256) additions, which is a stock
 *           scan a pass of the histograms of tiles of 256 keys; larger tiles do with fewer */
void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits);

/* radix_sort_int: the same for signed keys: the negative ones come first.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys
 * n         any length, 0 <= n < 2^32
 * Graded    correct, with a span of at most 32 (n / 8 + 16 ceil(n / TILE) + 1024) and at most 4096 bytes to the
 *           host; clean */
void radix_sort_int(const int *in, int *out, size_t n);

/* radix_sort_float: the same for floats, all of them, in this total order:
 *     NaNs with the sign bit set, -infinity, negative numbers, -0,
 *     +0, positive numbers, +infinity, NaNs with the sign bit clear
 * Within the NaNs, those whose other bits are the larger number are further from zero. No bit of a key changes.
 *
 * in        device pointer to n keys
 * out       device pointer to n keys
 * n         any length, 0 <= n < 2^32
 * Graded    correct, with a span of at most 32 (n / 8 + 16 ceil(n / TILE) + 1024) and at most 4096 bytes to the
 *           host; clean */
void radix_sort_float(const float *in, float *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
