/* naive_scan.h: the contract of lab 2. You implement these functions in student/naive_scan.cu.
 *
 * A scan combines every prefix of its input. With a ⊕ b for combine(a, b):
 *     inclusive    out[i] = in[0] ⊕ in[1] ⊕ ... ⊕ in[i]
 *     exclusive    out[i] = in[0] ⊕ in[1] ⊕ ... ⊕ in[i - 1],   out[0] = IDENTITY
 *
 * From this lab on ⊕ is associative only: you may group the operands, but their order stays.
 * combine(left, right) takes the operand that comes earlier in the input first.
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
 * barrier is counted once for the block, not once for each thread.
 * Global elements are those that threads read and write in global memory, each access counted; copies and fills within
 * the device count, too. Shared elements are the different ones that a block accesses in shared memory. Blocks are
 * those of all launches together.
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
 * together and whatever they do. The bound is 4n, at least 4096, in parts of one tile from 500 elements on (192n in
 * scan_quadratic), and 2n, at least 8192, in parts of any length from 3000 elements on; affine may take twice that and
 * interval five times, and a chain of instructions from thread to thread 64 more for each tile. A loop over the whole
 * input takes more, by shuffles or plain arithmetic as well, in one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. Steps are the combines of the longest chain of combines. */
#ifndef NAIVE_SCAN_H
#define NAIVE_SCAN_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* scan_quadratic: inclusive scan of one tile, in one block, with no more work than if each thread adds up its whole
 * prefix.
 *
 * in        device pointer to n elements
 * out       device pointer to n elements
 * n         1 <= n <= TILE, any length
 * Graded    correct for every associative combine, with a span of at most 64n + 64; clean; efficient: at most n(n -
 *           1) / 2 combines and 1 block */
void scan_quadratic(const elem_t *in, elem_t *out, size_t n);

/* scan_double_buffered: inclusive scan of one tile in log2 n steps, in one block and in shared memory, with one barrier
 * in each step: two buffers swap roles after every step (Hillis and Steele, 1986).
 *
 * in, out   device pointers to n elements; may be the same
 * n         1 <= n <= TILE, any length
 * Graded    correct for every associative combine, with a span of at most n + 64; clean; efficient: at most W(n)
 *           combines, ceil(log2 n) + 1 barriers, 2 ceil(log2 n) + 96 steps, 1 block and 3n + 64 global elements. W(n)
 *           is the sum of n - d over the strides d = 1, 2, 4, ... below n. For n a power of two it is n log2 n -
 *           (n - 1). */
void scan_double_buffered(const elem_t *in, elem_t *out, size_t n);

/* scan_in_place: the same scan with one buffer of TILE elements in shared memory and two barriers in each step: the
 * network of Kogge and Stone (1973).
 *
 * in, out   device pointers to n elements; may be the same
 * n         1 <= n <= TILE, any length
 * Graded    correct for every associative combine, with a span of at most n + 64; clean; efficient: at most W(n)
 *           combines, 2 ceil(log2 n) + 1 barriers, 2 ceil(log2 n) + 96 steps, 1 block, 3n + 64 global elements and
 *           TILE + 64 shared elements */
void scan_in_place(const elem_t *in, elem_t *out, size_t n);

/* scan_global: inclusive scan of any length, with no more work than the steps of scan_double_buffered.
 *
 * in        device pointer to n elements
 * out       device pointer to n elements
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024; clean;
 *           efficient: at most W(n) + 16384 combines */
void scan_global(const elem_t *in, elem_t *out, size_t n);

/* inclusive_to_exclusive: turns an inclusive scan into the exclusive scan of the same input. The scan moves
 * one place to the right: out[0] = IDENTITY, out[i] = in[i - 1].
 *
 * in        device pointer to n elements: an inclusive scan
 * out       device pointer to n elements
 * n         any length, n >= 0, also past 2^31
 * Graded    correct, with a span of at most n / 32 + 512; clean */
void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n);

/* exclusive_to_inclusive: turns an exclusive scan and its input into the inclusive scan:
 * out[i] = scanned[i] ⊕ in[i].
 *
 * scanned   device pointer to n elements: the exclusive scan of in
 * in        device pointer to n elements: what was scanned
 * out       device pointer to n elements; may be the same as scanned or as in
 * n         any length, n >= 0, also past 2^31
 * Graded    correct for every associative combine, with a span of at most n / 32 + 512; clean */
void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
