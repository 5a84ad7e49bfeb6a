/* stock_scan.cu: see stock_scan.h. The input is cut into about sqrt(n) pieces of about sqrt(n) elements.
 *
 *     sum_pieces      a thread a piece: the sum of its elements
 *     scan_sums       one thread: the exclusive scan of those sums
 *     scan_pieces     a thread a piece: the scan of its elements, from the sum of all pieces before it
 *
 * No thread ever needs what another one of the same launch has done. */
#include "stock_scan.h"
#include <cuda_runtime.h>

enum { PIECE_THREADS = 64 /* threads of a block */ };

template <typename T> static __device__ __forceinline__ T add(T left, T right)
{
#ifdef __SIMT__
    simt_count_combine();
#endif
    return left + right;
}

/* sums[p] = the sum of piece p, for all pieces but the last, which nobody needs. */
template <typename T> __global__ void sum_pieces(const T *in, T *sums, size_t length, size_t pieces)
{
    size_t p = (size_t)blockIdx.x * PIECE_THREADS + threadIdx.x;
    if (p + 1 >= pieces)
        return;
    T sum = in[p * length];
    for (size_t i = p * length + 1; i < (p + 1) * length; i++)
        sum = add(sum, in[i]);
    sums[p] = sum;
}

template <typename T> __global__ void scan_sums(T *sums, size_t pieces)
{
    T before = 0;
    for (size_t p = 0; p + 1 < pieces; p++) {
        T sum = sums[p];
        sums[p] = before;
        before = add(before, sum);
    }
    sums[pieces - 1] = before;
}

template <typename T>
__global__ void scan_pieces(const T *in, const T *sums, T *out, size_t n, size_t length, size_t pieces,
                            bool inclusive)
{
    size_t p = (size_t)blockIdx.x * PIECE_THREADS + threadIdx.x;
    if (p >= pieces)
        return;
    size_t end = (p + 1) * length < n ? (p + 1) * length : n;
    T sum = sums[p];
    for (size_t i = p * length; i < end; i++) {
        T before = sum;
        sum = add(sum, in[i]);
        out[i] = inclusive ? sum : before;
    }
}

template <typename T> static void scan(const T *in, T *out, size_t n, bool inclusive)
{
    if (n == 0)
        return;

    size_t length = 1;
    while (length * length < n)
        length *= 2;
    size_t pieces = (n + length - 1) / length;
    unsigned blocks = (unsigned)((pieces + PIECE_THREADS - 1) / PIECE_THREADS);

    T *sums;
    cudaMalloc(&sums, pieces * sizeof(T));
    sum_pieces<<<blocks, PIECE_THREADS>>>(in, sums, length, pieces);
    scan_sums<<<1, 1>>>(sums, pieces);
    scan_pieces<<<blocks, PIECE_THREADS>>>(in, (const T *)sums, out, n, length, pieces, inclusive);
    cudaFree(sums);
}

void stock_scan_exclusive(const unsigned *in, unsigned *out, size_t n)
{
    scan(in, out, n, false);
}

void stock_scan_exclusive_long(const size_t *in, size_t *out, size_t n)
{
    scan(in, out, n, false);
}

void stock_scan_inclusive(const unsigned *in, unsigned *out, size_t n)
{
    scan(in, out, n, true);
}

void stock_scan_inclusive_long(const size_t *in, size_t *out, size_t n)
{
    scan(in, out, n, true);
}
