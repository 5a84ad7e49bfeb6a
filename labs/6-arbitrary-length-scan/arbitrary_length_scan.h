/* arbitrary_length_scan.h: the contract of lab 6. You implement these functions in
 * student/arbitrary_length_scan.cu.
 *
 * A scan combines every prefix of its input. With a ⊕ b for combine(a, b):
 *     inclusive    out[i] = in[0] ⊕ in[1] ⊕ ... ⊕ in[i]
 *     exclusive    out[i] = in[0] ⊕ in[1] ⊕ ... ⊕ in[i - 1],   out[0] = IDENTITY
 *
 * ⊕ is associative only: you may group the operands, but their order stays. combine(left, right) takes the operand
 * that comes earlier in the input first.
 *
 * Tile b is in[b * TILE .. (b + 1) * TILE), and the last tile may be shorter. There are ceil(n / TILE) tiles,
 * none when n is 0.
 *
 * TILE is how many elements a tile has: 64, 512 or 1024. Your file is built and judged with each of the three, so it
 * may rely on none of them; `make run ... TILE=64` replays a failure with another tile than 512. Efficiency is judged
 * with 512.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream and may
 * return before they end. Work in another stream begins after what the default stream holds already, and the
 * default stream or the host waits for it. Arrays are aligned as their elements need, and no better. They do not
 * overlap, except where a contract says that they may. Inputs that are not also outputs are only read. Scratch
 * memory is yours to allocate with cudaMalloc and to free with cudaFree before you return. Blocks may run in any
 * order, and as few as one at a time.
 *
 * Work is the number of times that combine runs, in all threads together. Every addition is one of its calls. Elements
 * moved are those that fill the sectors of 32 bytes which the blocks read and write in global memory. What a block
 * reads more than once counts once, and so does what it writes: a cache may hold it; but volatile and atomic accesses
 * count each time. Written elements are those that threads write to global memory, each time counted; copies and fills
 * within the device count, too.
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
 * together and whatever they do. The bound is 2n, at least 8192, in parts of any length from 3000 elements on; affine
 * may take twice that and interval five times, and a chain of instructions from thread to thread 64 more for each tile.
 * A loop over the whole input takes more, by shuffles or plain arithmetic as well, in one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. */
#ifndef ARBITRARY_LENGTH_SCAN_H
#define ARBITRARY_LENGTH_SCAN_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* scan_tiles: inclusive scan of every tile by itself.
 *
 * in, out   device pointers to n elements; may be the same. out[i] = in[b * TILE] ⊕ ... ⊕ in[i], where b is
 *           the tile of i
 * sums      device pointer to one element a tile; sums[b] receives the sum of tile b
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024; clean;
 *           efficient: at most 16 * TILE combines a tile and n + n / 4 + TILE written elements */
void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n);

/* add_block_sums: adds to every element the sum before its tile.
 *
 * sums      device pointer to one element a tile: the inclusive scan of the tiles' sums
 * in, out   device pointers to n elements; may be the same. out[i] = sums[b - 1] ⊕ in[i], where b is the tile
 *           of i; in tile 0, out[i] = in[i]
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 32 + 512; clean; efficient: at most
 *           n - TILE combines, none when n is below TILE: nothing comes before tile 0 */
void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n);

/* scan_inclusive: inclusive scan of any length.
 *
 * in, out   device pointers to n elements; may be the same
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024 and at
 *           most 4096 bytes to the host; clean; efficient: at most 18n + 32 * TILE
 *           combines */
void scan_inclusive(const elem_t *in, elem_t *out, size_t n);

/* scan_exclusive: exclusive scan of any length.
 *
 * in, out   device pointers to n elements; may be the same
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024 and at
 *           most 4096 bytes to the host; clean; efficient: at most 18n + 32 * TILE
 *           combines */
void scan_exclusive(const elem_t *in, elem_t *out, size_t n);

/* scan_single_pass: inclusive scan of any length that reads in once and writes out once, in one launch: a
 * block learns the sum before its tile by looking back at the sums of the tiles before it while these are still at
 * work (decoupled look-back).
 *
 * in, out   device pointers to n elements; may be the same
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, in whatever order blocks run, also one at a time, with a span
 *           of at most n / 8 + 16 ceil(n / TILE) + 1024 and at most 4096 bytes to the host; clean; efficient: at
 *           most 18n + 32 * TILE combines, 2n + 3n / 4 + 2 * TILE elements moved and 1 launch. When one block
 *           is held up as it reads what another one has published, a quarter of the blocks at work still end or
 *           write results, counting those that started later: they need only the sum of its tile */
void scan_single_pass(const elem_t *in, elem_t *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
