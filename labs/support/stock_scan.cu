/* stock_scan.cu: see stock_scan.h. The scans are those of stock_monoid.h for sums. */
#include "stock_scan.h"
#include "stock_monoid.h"

template <class T> struct sum_of {
    typedef T value;
    static __host__ __device__ __forceinline__ value identity()
    {
        return 0;
    }
    static __host__ __device__ __forceinline__ value combine(value left, value right)
    {
        return left + right;
    }
};

void stock_scan_exclusive(const unsigned *in, unsigned *out, size_t n)
{
    stock_scan_exclusive<sum_of<unsigned>>(in, out, n);
}

void stock_scan_exclusive_long(const size_t *in, size_t *out, size_t n)
{
    stock_scan_exclusive<sum_of<size_t>>(in, out, n);
}

void stock_scan_inclusive(const unsigned *in, unsigned *out, size_t n)
{
    stock_scan_inclusive<sum_of<unsigned>>(in, out, n);
}

void stock_scan_inclusive_long(const size_t *in, size_t *out, size_t n)
{
    stock_scan_inclusive<sum_of<size_t>>(in, out, n);
}

/* ---- sort ----------------------------------------------------------------------------------------------
 *
 * Runs of 1, 2, 4, ... sorted keys are merged two by two. A thread a key: its place in the merged run is its
 * place in its own run and the number of keys before it in the other one, which a binary search finds. */

enum { SORT_THREADS = 256 /* of a block */ };

__global__ void merge_runs(const unsigned *in, unsigned *out, size_t n, size_t run)
{
    size_t i = (size_t)blockIdx.x * SORT_THREADS + threadIdx.x;
    if (i >= n)
        return;
    size_t pair = i - i % (2 * run), middle = pair + run < n ? pair + run : n;
    size_t end = pair + 2 * run < n ? pair + 2 * run : n;
    bool is_left = i < middle;
    size_t low = is_left ? middle : pair, high = is_left ? end : middle, begin = low;
    unsigned key = in[i];
    while (low < high) {
        size_t probe = low + (high - low) / 2;
        if (is_left ? in[probe] < key : in[probe] <= key) /* of equal keys, the left run's come first */
            low = probe + 1;
        else
            high = probe;
    }
    out[pair + (is_left ? i - pair : i - middle) + (low - begin)] = key;
}

void stock_sort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0)
        return;
    unsigned *spare, blocks = (unsigned)((n + SORT_THREADS - 1) / SORT_THREADS);
    cudaMalloc(&spare, n * sizeof *spare);
    cudaMemcpy(out, in, n * sizeof *out, cudaMemcpyDeviceToDevice);
    unsigned *from = out, *to = spare;
    for (size_t run = 1; run < n; run *= 2) {
        merge_runs<<<blocks, SORT_THREADS>>>(from, to, n, run);
        unsigned *merged = to;
        to = from;
        from = merged;
    }
    if (from != out)
        cudaMemcpy(out, from, n * sizeof *out, cudaMemcpyDeviceToDevice);
    cudaFree(spare);
}
