/* stock_scan.h: scans, and a sort, for parts that need one and are not about it. Scans of other monoids than sums are
 * in stock_monoid.h. Which of them a part may call is said in its contract; the call of another one is refused.
 *
 * All but the last are called on the host with device pointers, work on the default stream and may return
 * before they end. in and out hold n elements, any n, and may be the same. Sums wrap around: at 2^32, or at
 * 2^64 for those that end in _long. A scan of n elements counts as 2(n - 1) combines, whatever it takes, and
 * none waits at a barrier. They are the harness's on the CPU device, and CUB's on a GPU. */
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

/* out = the keys of in, ascending. No combines. */
void stock_sort(const unsigned *in, unsigned *out, size_t n);

/* What the functions of this folder call on the CPU device. Values are `size` bytes; left = left + right. */
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

enum { STOCK_BLOCK_MOST = 1024 /* threads of a block */ };

#ifdef __SIMT__

/* Inside a kernel: returns the sum of the values of the threads before this one, and in *total that of all
 * threads of the block. Every thread of a one-dimensional block has to call it. It counts as
 * 2 ceil(log2 blockDim.x) + 2 barriers: all that the block wrote before the call can be read after it. */
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
