/* reduction.h: the contract of lab 1. You implement these functions in student/reduction.cu.
 *
 * The reduction of in[0..n) is in[0] ⊕ in[1] ⊕ ... ⊕ in[n - 1], where a ⊕ b is combine(a, b). The labs build
 * your file once for each monoid: elem_t, combine and IDENTITY come from monoid.h, TILE from lab.h.
 *
 * TILE is how many elements a tile has: 64, 512 or 1024. Your file is built and judged with each of the three, so it
 * may rely on none of them; `make run ... TILE=64` replays a failure with another tile than 512. Efficiency is judged
 * with 512.
 *
 * In this lab ⊕ is associative AND commutative: you may group the operands and change their order.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream and may
 * return before they end. Work in another stream begins after what the default stream holds already, and the
 * default stream or the host waits for it. Arrays are aligned as their elements need, and no better. They do not
 * overlap, except where a contract says that they may. Inputs are only read. Scratch memory is yours to allocate
 * with cudaMalloc and to free with cudaFree before you return.
 *
 * Work is the number of times that combine runs, in all threads together. Every addition is one of its calls.
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
 * least 8192, in parts of any length from 3000 elements on; fingerprint may take twice that, and a chain of
 * instructions from thread to thread 64 more for each tile. A loop over the whole input takes more, by shuffles or
 * plain arithmetic as well, in one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. Steps are the combines of the longest chain of combines. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* reduce_tile: reduction of one tile by a tree, in one block and in shared memory.
 *
 * in        device pointer to n elements
 * out       device pointer to 1 element
 * n         a power of two, 2 <= n <= TILE
 * Graded    correct for every commutative, associative combine, with a span of at most n + 64; clean; efficient: at
 *           most n - 1 combines, 2 log2 n + 64 steps, 1 block and 2n global elements */
void reduce_tile(const elem_t *in, elem_t *out, size_t n);

/* reduce_tile_packed: the same, with the threads that still work packed into the lowest-numbered warps.
 *
 * in        device pointer to n elements
 * out       device pointer to 1 element
 * n         a power of two, 2 <= n <= TILE
 * Graded    correct for every commutative, associative combine, with a span of at most n + 64; clean; efficient: at
 *           most n - 1 combines, 2 log2 n + 64 steps, 1 block, 2n global elements and 8 divergent branches. A branch
 *           counts once for each warp and step in which some lanes of the warp take it and others do not. The tree
 *           needs 5: the steps with fewer than 32 additions. */
void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n);

/* reduce: reduction of any length.
 *
 * in        device pointer to n elements
 * out       device pointer to 1 element; IDENTITY when n is 0
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every commutative, associative combine, with a span of at most n / 32 + 512 and at most
 *           4096 bytes to the host; clean; efficient: at most 7n + 16384 combines. The same input gives the same
 *           bits in every call. Floats may differ from the exact sum by (n / 4096 + 128) * 2^-24 * (|in[0]| + ...
 *           + |in[n - 1]|): so no long rows */
void reduce(const elem_t *in, elem_t *out, size_t n);

#if MONOID == MONOID_FLOAT_SUM
/* mean: the arithmetic mean, (in[0] + ... + in[n - 1]) / n. Built for the monoid float_sum only.
 *
 * in        device pointer to n elements
 * out       device pointer to 1 element
 * n         any length, 1 <= n < 2^31
 * Graded    correct: within reduce's bound divided by n, and two more roundings (n to float, the quotient), with a
 *           span of at most n / 32 + 512 and at most 4096 bytes to the host; clean */
void mean(const float *in, float *out, size_t n);
#endif

#ifdef __cplusplus
}
#endif
#endif
