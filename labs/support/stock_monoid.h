/* stock_monoid.h: scans and a reduction of any monoid, for kernels' host code. They are right, and slow.
 *
 * A monoid is a struct that names its values' type and has two functions, both for host and device:
 *
 *     struct longest {
 *         typedef unsigned value;
 *         static __host__ __device__ value identity() { return 0; }
 *         static __host__ __device__ value combine(value left, value right) { return max(left, right); }
 *     };
 *     stock_scan_inclusive<longest>(in, out, n);
 *
 * combine has to be associative. It need not be commutative: left always stands before right in the input.
 * A value is any type that can be copied as bytes. All functions take device pointers to n values, any n, and
 * launch on the default stream. in and out may be the same. Each call of combine counts as one combine. */
#ifndef LABS_STOCK_MONOID_H
#define LABS_STOCK_MONOID_H

#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <stddef.h>

/* out[i] = in[0] + ... + in[i]. At most 2n combines. May return before it is done. */
template <class M> void stock_scan_inclusive(const typename M::value *in, typename M::value *out, size_t n);

/* out[i] = in[0] + ... + in[i - 1], out[0] = identity. At most 2n combines. May return before it is done. */
template <class M> void stock_scan_exclusive(const typename M::value *in, typename M::value *out, size_t n);

/* Returns in[0] + ... + in[n - 1], the identity when n = 0. At most n combines. */
template <class M> typename M::value stock_reduce(const typename M::value *in, size_t n);

/* ---- how ------------------------------------------------------------------------------------------------
 *
 * The input is cut into about sqrt(n) pieces of about sqrt(n) elements.
 *
 *     sum_pieces      a thread a piece: the sum of its elements
 *     scan_sums       one thread: the exclusive scan of those sums
 *     scan_pieces     a thread a piece: the scan of its elements, from the sum of all pieces before it
 *
 * No thread ever needs what another one of the same launch has done. Kernels are launched by
 * cudaLaunchKernel: a header does not go through cudac. */

enum { STOCK_PIECE_THREADS = 64 /* threads of a block */ };

template <class M>
static __device__ __forceinline__ typename M::value stock_combine(typename M::value left,
                                                                  typename M::value right)
{
#ifdef __SIMT__
    simt_count_combine();
#endif
    return M::combine(left, right);
}

/* sums[p] = the sum of piece p, for all pieces below `wanted`; none of them is empty. */
template <class M>
static __global__ void stock_sum_pieces(const typename M::value *in, typename M::value *sums, size_t n,
                                        size_t length, size_t wanted)
{
    size_t p = (size_t)blockIdx.x * STOCK_PIECE_THREADS + threadIdx.x;
    if (p >= wanted)
        return;
    size_t end = (p + 1) * length < n ? (p + 1) * length : n;
    typename M::value sum = in[p * length];
    for (size_t i = p * length + 1; i < end; i++)
        sum = stock_combine<M>(sum, in[i]);
    sums[p] = sum;
}

/* One thread: turns the sums of all pieces but the last, which nobody needs, into those of the pieces before.
 */
template <class M> static __global__ void stock_scan_sums(typename M::value *sums, size_t pieces)
{
    typename M::value before = M::identity();
    for (size_t p = 0; p + 1 < pieces; p++) {
        typename M::value sum = sums[p];
        sums[p] = before;
        before = stock_combine<M>(before, sum);
    }
    sums[pieces - 1] = before;
}

template <class M>
static __global__ void stock_scan_pieces(const typename M::value *in, const typename M::value *sums,
                                         typename M::value *out, size_t n, size_t length, size_t pieces,
                                         bool inclusive)
{
    size_t p = (size_t)blockIdx.x * STOCK_PIECE_THREADS + threadIdx.x;
    if (p >= pieces)
        return;
    size_t end = (p + 1) * length < n ? (p + 1) * length : n;
    typename M::value sum = sums[p];
    for (size_t i = p * length; i < end; i++) {
        typename M::value before = sum;
        sum = stock_combine<M>(sum, in[i]);
        out[i] = inclusive ? sum : before;
    }
}

/* One thread: sums[0] becomes the sum of all. */
template <class M> static __global__ void stock_add_sums(typename M::value *sums, size_t pieces)
{
    typename M::value sum = sums[0];
    for (size_t p = 1; p < pieces; p++)
        sum = stock_combine<M>(sum, sums[p]);
    sums[0] = sum;
}

static inline size_t stock_piece_length(size_t n)
{
    size_t length = 1;
    while (length * length < n)
        length *= 2;
    return length;
}

template <class M>
static void stock_sum(const typename M::value *in, typename M::value *sums, size_t n, size_t length,
                      size_t wanted)
{
    unsigned blocks = (unsigned)((wanted + STOCK_PIECE_THREADS - 1) / STOCK_PIECE_THREADS);
    void *arguments[] = {&in, &sums, &n, &length, &wanted};
    if (blocks > 0)
        cudaLaunchKernel(stock_sum_pieces<M>, dim3(blocks), dim3(STOCK_PIECE_THREADS), arguments, 0, 0);
}

template <class M>
static void stock_scan(const typename M::value *in, typename M::value *out, size_t n, bool inclusive)
{
    if (n == 0)
        return;
    size_t length = stock_piece_length(n), pieces = (n + length - 1) / length;
    unsigned blocks = (unsigned)((pieces + STOCK_PIECE_THREADS - 1) / STOCK_PIECE_THREADS);
    typename M::value *sums;
    cudaMalloc((void **)&sums, pieces * sizeof *sums);
    stock_sum<M>(in, sums, n, length, pieces - 1);
    void *of_sums[] = {&sums, &pieces};
    cudaLaunchKernel(stock_scan_sums<M>, dim3(1), dim3(1), of_sums, 0, 0);
    void *of_pieces[] = {&in, &sums, &out, &n, &length, &pieces, &inclusive};
    cudaLaunchKernel(stock_scan_pieces<M>, dim3(blocks), dim3(STOCK_PIECE_THREADS), of_pieces, 0, 0);
    cudaFree(sums);
}

template <class M> void stock_scan_inclusive(const typename M::value *in, typename M::value *out, size_t n)
{
    stock_scan<M>(in, out, n, true);
}

template <class M> void stock_scan_exclusive(const typename M::value *in, typename M::value *out, size_t n)
{
    stock_scan<M>(in, out, n, false);
}

template <class M> typename M::value stock_reduce(const typename M::value *in, size_t n)
{
    typename M::value sum = M::identity(), *sums;
    if (n == 0)
        return sum;
    size_t length = stock_piece_length(n), pieces = (n + length - 1) / length;
    cudaMalloc((void **)&sums, pieces * sizeof *sums);
    stock_sum<M>(in, sums, n, length, pieces);
    void *of_sums[] = {&sums, &pieces};
    cudaLaunchKernel(stock_add_sums<M>, dim3(1), dim3(1), of_sums, 0, 0);
    cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(sums);
    return sum;
}

#endif
#endif
