/* stock_scan.h: scans and a sort, for parts that need one but are not about it. Scans of other monoids than sums
 * are in stock_monoid.h. The contract of a part says which of these functions it may call; other calls are refused.
 *
 * All functions except the last one are called by host code with device pointers, use the default stream and may
 * return before the work is done. in and out have n elements, for any n, and may be the same array. Sums wrap
 * around at 2^32, or at 2^64 in the functions that end in _long. A scan of n elements counts as 2(n - 1) combines,
 * whatever the implementation does, and uses no barriers. On the CPU device the functions are implemented by the
 * harness, on a GPU by CUB. */
#ifndef LABS_STOCK_SCAN_H
#define LABS_STOCK_SCAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = in[0] + ... + in[i - 1],   out[0] = 0 */
void stock_scan_exclusive(const unsigned *in, unsigned *out, size_t n);
void stock_scan_exclusive_long(const size_t *in, size_t *out, size_t n);

/* out[i] = in[0] + ... + in[i] */
void stock_scan_inclusive(const unsigned *in, unsigned *out, size_t n);
void stock_scan_inclusive_long(const size_t *in, size_t *out, size_t n);

/* out becomes the keys of in in ascending order. Counts no combines. */
void stock_sort(const unsigned *in, unsigned *out, size_t n);

/* The functions of this folder call these on the CPU device. A value has `size` bytes; a combine computes left =
 * left + right. */
typedef void stock_combine(void *left, const void *right);
void stock_scan_values(const void *in, void *out, size_t n, size_t size, stock_combine *combine,
                       const void *identity /* null: an inclusive scan */);
void stock_reduce_values(const void *in, size_t n, size_t size, stock_combine *combine, void *result);
unsigned stock_block_sums(unsigned *totals, unsigned value, unsigned *total);

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
#include <cuda_runtime.h>

enum { STOCK_BLOCK_MOST = 1024 /* threads in a block */ };

#ifdef __SIMT__

/* For kernels: returns the sum of the values of all threads before this one, and stores the sum of all threads of
 * the block in *total. Every thread of a one-dimensional block must call it. It counts as 2 ceil(log2 blockDim.x) +
 * 2 barriers: everything that the block wrote before the call can be read after it. */
static __device__ __forceinline__ unsigned stock_block_scan(unsigned value, unsigned *total)
{
    __shared__ unsigned totals[STOCK_BLOCK_MOST];
    unsigned all, before = stock_block_sums(totals, value, &all);
    *total = all;
    return before;
}

#else
#include "stock_cub_block.h"
#endif
#endif
#endif
