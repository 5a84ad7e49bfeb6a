/* compaction.h: the contract of lab 4. You implement these functions in student/compaction.cu.
 *
 * Compaction keeps some elements of an array, in their order, without gaps:
 *     in       3  0  7  0  0  1  6  0        keep those for which keep() is true
 *     out      3  7  1  6                    and the count 4
 *
 * TILE is how many elements a tile has: 64, 512 or 1024. Your file is built and judged with each of the three, so it
 * may rely on none of them; `make run ... TILE=64` replays a failure with another tile than 512. Efficiency is judged
 * with 512.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream, and may
 * return before they end unless it returns a count. Work in another stream begins after what the default stream
 * holds already, and the default stream or the host waits for it. Arrays are aligned as their elements need, and
 * no better. They do not overlap. Inputs are only read. The elements of an output after those that you are to write
 * stay as they are. Scratch memory is yours to allocate with cudaMalloc and to free with cudaFree before you return.
 *
 * The harness gives you a scan, so that you need none of your own: see labs/stock/stock_scan.h. compact and
 * compact_warp may call its scans, and no part may call another function of it: such a call is refused. Work is
 * the number of additions that the scans count as, in all of your calls to them together. A barrier is counted
 * once for the block, not once for each thread. Global elements are those that threads read and write in global memory,
 * each access counted; copies and fills within the device count, too.
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
 * together and whatever they do. The bound is 2n, at least 8192, in parts of any length from 3000 elements on. A chain
 * of instructions from thread to thread may have 64 more for each tile. A loop over the whole input takes more, by
 * shuffles or plain arithmetic as well, in one thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. */
#ifndef COMPACTION_H
#define COMPACTION_H

#include "lab.h"
#include "stock_scan.h"

/* Which elements are kept. */
MONOID_FUNCTION bool keep(int x)
{
    return x != 0;
}

#ifdef __cplusplus
extern "C" {
#endif

/* map_to_boolean: which elements are kept: flags[i] = 1 if keep(in[i]), else 0.
 *
 * in        device pointer to n elements
 * flags     device pointer to n elements
 * n         any length, 0 <= n < 2^32
 * Graded    correct, with a span of at most n / 32 + 512; clean */
void map_to_boolean(const int *in, unsigned *flags, size_t n);

/* scatter: moves the flagged elements to their slots: out[slots[i]] = in[i] where flags[i] is 1. Elements
 * whose flag is 0 go nowhere, whatever their value.
 *
 * in        device pointer to n elements
 * flags     device pointer to n elements, each 0 or 1
 * slots     device pointer to n elements: the exclusive scan of flags
 * out       device pointer to room for n elements; only as many as there are flags of 1 are written
 * n         any length, 0 <= n < 2^32
 * Graded    correct, with a span of at most n / 32 + 512; clean */
void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n);

/* compact: keeps the elements for which keep() is true, in their order, and returns how many there are.
 *
 * in        device pointer to n elements
 * out       device pointer to room for n elements; those from the count on stay untouched
 * n         any length, 0 <= n < 2^32
 * returns   the count
 * Graded    correct, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024 and at most 64 bytes to the host;
 *           clean; efficient: at most 2n + 2048 additions, which is one stock scan of the flags of whole blocks, and
 *           12n + 16384 global elements */
size_t compact(const int *in, int *out, size_t n);

/* compact_warp: the same, where each warp counts and ranks its 32 elements without a barrier, so that only one number
 * a warp is left to scan.
 *
 * in        device pointer to n elements
 * out       device pointer to room for n elements; those from the count on stay untouched
 * n         any length, 0 <= n < 2^32
 * returns   the count
 * Graded    correct, with a span of at most n / 8 + 16 ceil(n / TILE) + 1024 and at most 64 bytes to the host;
 *           clean; efficient: at most 2 ceil(n / 32) + 64 additions, which is one stock scan of a count for each
 *           warp of whole blocks, no barrier and 6n + 16384 global elements */
size_t compact_warp(const int *in, int *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
