/* compaction.h: the contract of lab 4. You implement these functions in student/compaction.cu.
 *
 * Compaction keeps some elements of an array, in their order, without gaps:
 *     in       3  0  7  0  0  1  6  0        keep those for which keep() is true
 *     out      3  7  1  6                    and the count 4
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream, and
 * may return before they end unless it returns a count. Arrays are aligned as their elements need, and no
 * better. They do not overlap. Inputs stay as they are, and so does what lies in an output behind the
 * elements that you are to write. Scratch memory is yours to allocate with cudaMalloc and to free with
 * cudaFree before you return.
 *
 * The harness gives you a scan, so that you need none of your own: see labs/support/stock_scan.h. Work is the
 * number of additions that it makes, in all of your calls to it together. A barrier is counted once for the
 * block, not once for each thread. */
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
 * Graded    correct; clean */
void map_to_boolean(const int *in, unsigned *flags, size_t n);

/* scatter: moves the flagged elements to their slots: out[slots[i]] = in[i] where flags[i] is 1. Elements
 * whose flag is 0 go nowhere, whatever their value.
 *
 * in        device pointer to n elements
 * flags     device pointer to n elements, each 0 or 1
 * slots     device pointer to n elements: the exclusive scan of flags
 * out       device pointer to room for n elements; only as many as there are flags of 1 are written
 * n         any length, 0 <= n < 2^32
 * Graded    correct; clean */
void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n);

/* compact: keeps the elements for which keep() is true, in their order, and returns how many there are.
 *
 * in        device pointer to n elements
 * out       device pointer to room for n elements; those from the count on stay untouched
 * n         any length, 0 <= n < 2^32
 * returns   the count
 * Graded    correct; clean; efficient: at most 2n additions, which is one stock scan of the flags */
size_t compact(const int *in, int *out, size_t n);

/* compact_warp: the same. Each warp counts and ranks its 32 elements with __ballot_sync and __popc, so that
 * only one number a warp is left to scan.
 *
 * in        device pointer to n elements
 * out       device pointer to room for n elements; those from the count on stay untouched
 * n         any length, 0 <= n < 2^32
 * returns   the count
 * Graded    correct; clean; efficient: at most 2 ceil(n / 32) additions, which is one stock scan of a count
 *           for each warp, and no barrier */
size_t compact_warp(const int *in, int *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
