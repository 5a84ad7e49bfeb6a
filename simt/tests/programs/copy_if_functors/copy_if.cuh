#pragma once
#include "block_scan.cuh"

namespace detail {

template <int THREADS, class T, class P> __global__ void count_kept(const T *in, int n, unsigned *counts, P keep)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int kept = __syncthreads_count(i < n && keep(in[i]));
    if (threadIdx.x == 0)
        counts[blockIdx.x] = kept;
}

template <int THREADS> __global__ void scan_counts(unsigned *counts, int n)
{
    __shared__ unsigned s[2][THREADS];
    unsigned carry = 0;
    for (int base = 0; base < n; base += THREADS) {
        const int i = base + threadIdx.x;
        int in = 0;
        s[in][threadIdx.x] = i < n ? counts[i] : 0;
        __syncthreads();
        for (int d = 1; d < THREADS; d *= 2, in ^= 1) {
            s[in ^ 1][threadIdx.x] = s[in][threadIdx.x] + (threadIdx.x >= d ? s[in][threadIdx.x - d] : 0);
            __syncthreads();
        }
        if (i < n)
            counts[i] = carry + (threadIdx.x ? s[in][threadIdx.x - 1] : 0);
        carry += s[in][THREADS - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        counts[n] = carry;
}

template <int THREADS, class T, class P> __global__ void scatter_kept(const T *in, int n, const unsigned *offsets, T *out, P keep)
{
    typedef BlockScan<THREADS> Scan;
    __shared__ typename Scan::Storage storage;
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const bool kept = i < n && keep(in[i]);
    unsigned total;
    const unsigned at = Scan(storage).exclusive(kept, total);
    if (kept && total)
        out[offsets[blockIdx.x] + at] = in[i];
}

} // namespace detail

template <int THREADS = 128, class T, class P> T *copy_if(const T *first, const T *last, T *out, P keep, cudaStream_t stream = 0)
{
    const int n = last - first, blocks = (n + THREADS - 1) / THREADS;
    if (n == 0)
        return out;
    unsigned *counts, kept;
    cudaMallocAsync(&counts, (blocks + 1) * sizeof(unsigned), stream);
    detail::count_kept<THREADS><<<blocks, THREADS, 0, stream>>>(first, n, counts, keep);
    detail::scan_counts<THREADS><<<1, THREADS, 0, stream>>>(counts, blocks);
    detail::scatter_kept<THREADS><<<blocks, THREADS, 0, stream>>>(first, n, counts, out, keep);
    cudaMemcpyAsync(&kept, counts + blocks, sizeof kept, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(counts, stream);
    cudaStreamSynchronize(stream);
    return out + kept;
}
