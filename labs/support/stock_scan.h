/* stock_scan.h: scans, and a sort, for parts that need one and are not about it. They are right, and slow.
 * Scans of other monoids than sums are in stock_monoid.h.
 *
 * All but the last are called on the host with device pointers, launch on the default stream and may return
 * before they end. in and out hold n elements, any n, and may be the same. Sums wrap around: at 2^32, or at
 * 2^64 for those that end in _long. A scan makes at most 2n additions; each counts as one combine. None waits
 * at a barrier. */
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

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
#include <cuda_runtime.h>

enum { STOCK_BLOCK_MOST = 1024 /* threads of a block */ };

/* Inside a kernel: returns the sum of the values of the threads before this one, and in *total that of all
 * threads of the block. Every thread of a one-dimensional block has to call it. It waits at
 * 2 ceil(log2 blockDim.x) + 2 barriers: all that the block wrote before the call can be read after it. */
static __device__ __forceinline__ unsigned stock_block_scan(unsigned value, unsigned *total)
{
    __shared__ unsigned sums[STOCK_BLOCK_MOST];
    unsigned t = threadIdx.x;

    __syncthreads(); /* the call before this one has been read */
    sums[t] = value;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned left = t >= stride ? sums[t - stride] : 0;
        __syncthreads();
        sums[t] += left;
    }
    __syncthreads();
    *total = sums[blockDim.x - 1];
    return sums[t] - value;
}
#endif
#endif
