/* work_efficient_scan.h: the contract of lab 3. You implement these functions in
 * student/work_efficient_scan.cu.
 *
 * A scan combines every prefix of its input. With a ⊕ b for combine(a, b):
 *     inclusive    out[i] = in[0] ⊕ in[1] ⊕ ... ⊕ in[i]
 *     exclusive    out[i] = in[0] ⊕ in[1] ⊕ ... ⊕ in[i - 1],   out[0] = IDENTITY
 *
 * ⊕ is associative only: you may group the operands, but their order stays. combine(left, right) takes the operand
 * that comes earlier in the input first.
 *
 * TILE is how many elements a tile has: 64, 512 or 1024. Your file is built and judged with each of the three, so it
 * may rely on none of them; `make run ... TILE=64` replays a failure with another tile than 512. Efficiency is judged
 * with 512.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream and may
 * return before they end. Work in another stream begins after what the default stream holds already, and the
 * default stream or the host waits for it. Arrays are aligned as their elements need, and no better. They do not
 * overlap, except where a contract says that they may. Inputs that are not also outputs are only read. Scratch
 * memory is yours to allocate with cudaMalloc and to free with cudaFree before you return.
 *
 * Work is the number of times that combine runs, in all threads together. Every addition is one of its calls. A
 * barrier is counted once for the block, not once for each thread. Shared memory serves the lanes of a warp in
 * wavefronts: each gives every one of 32 banks the time for one word. Wavefronts beyond the fewest that as many lanes
 * can need are excess: bank conflicts cause them.
 * Global elements are those that threads read and write in global memory, each access counted; copies and fills within
 * the device count, too. Blocks are those of all launches together.
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
 * together and whatever they do. The bound is 4n, at least 4096, in parts of one tile from 500 elements on, and 2n, at
 * least 8192, in parts of any length from 3000 elements on; affine may take twice that and interval five times, and a
 * chain of instructions from thread to thread 64 more for each tile. A loop over the whole input takes more, by
 * shuffles or plain arithmetic as well, in one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. Steps are the combines of the longest chain of combines. */
#ifndef WORK_EFFICIENT_SCAN_H
#define WORK_EFFICIENT_SCAN_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* scan_blelloch: exclusive scan of one tile, in one block and in shared memory, with the work of an up-sweep and a
 * down-sweep (Blelloch, 1990).
 *
 * in, out   device pointers to n elements; may be the same
 * n         a power of two, 2 <= n <= TILE
 * Graded    correct for every associative combine, with a span of at most n + 64; clean; efficient: at most 2(n -
 *           1) combines, 2 log2 n + 96 steps, 1 block and 3n + 64 global elements */
void scan_blelloch(const elem_t *in, elem_t *out, size_t n);

/* scan_brent_kung: inclusive scan of one tile, in one block and in shared memory, with the work of the same up-sweep
 * and a down-sweep that adds finished sums to others (Brent and Kung, 1982).
 *
 * in, out   device pointers to n elements; may be the same
 * n         a power of two, 2 <= n <= TILE
 * Graded    correct for every associative combine, with a span of at most n + 64; clean; efficient: at most 2n - 2
 *           - log2 n combines, 2 log2 n + 96 steps, 1 block and 3n + 64 global elements */
void scan_brent_kung(const elem_t *in, elem_t *out, size_t n);

/* scan_conflict_free: what scan_blelloch computes, in one block and in shared memory, where the threads of a warp
 * access different banks at every stride.
 *
 * in, out   device pointers to n elements; may be the same
 * n         a power of two, 2 <= n <= TILE
 * Graded    correct for every associative combine, with a span of at most n + 64; clean; efficient: at most 2(n -
 *           1) combines, 2 log2 n + 96 steps, 1 block, 3n + 64 global elements and, with elements of one word, n / 32
 *           excess wavefronts */
void scan_conflict_free(const elem_t *in, elem_t *out, size_t n);

/* scan_coarsened: inclusive scan of up to four tiles, in one block and with the barriers of one tile: several elements a
 * thread.
 *
 * in, out   device pointers to n elements; may be the same
 * n         1 <= n <= 4 * TILE, any length
 * Graded    correct for every associative combine, with a span of at most n + 128; clean; efficient: at most
 *           2n + 14 * TILE combines, 2 log2(TILE / 4) + 6 barriers (20 when TILE is 512) and 1 block */
void scan_coarsened(const elem_t *in, elem_t *out, size_t n);

/* scan_global_tree: exclusive scan of any length, with the work of an up-sweep and a down-sweep over the input, padded
 * to the next power of two.
 *
 * in, out   device pointers to n elements; may be the same
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024; clean;
 *           efficient: at most 2(P - 1) + 4096 combines, where P is the smallest power of two that is not below n */
void scan_global_tree(const elem_t *in, elem_t *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
