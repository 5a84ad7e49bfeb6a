/* One template sorts elements of 64 bits by the bits of a range: keys in the high half, values in the low one. A
 * tile is sorted by counting smaller keys, and two tiles are merged by an odd-even network.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"

typedef unsigned long long pair_t;

enum { THREADS = 512 };

template <typename T> __global__ void falses(const T *in, size_t *f, size_t n, unsigned bit)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        f[i] = (in[i] >> bit & 1) == 0;
}

/* f is scanned; the last element says itself whether it is one more. */
template <typename T> __global__ void place(const T *in, const size_t *f, T *out, size_t n, unsigned bit)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    size_t all = f[n - 1] + !(in[n - 1] >> bit & 1);
    out[in[i] >> bit & 1 ? all + (i - f[i]) : f[i]] = in[i];
}

static dim3 grid(size_t n)
{
    return dim3((unsigned)((n + THREADS - 1) / THREADS), 1, 1);
}

template <typename T> static void split_any(const T *in, T *out, size_t *f, size_t n, unsigned bit)
{
    falses<<<grid(n), THREADS>>>(in, f, n, bit);
    stock_scan_exclusive_long(f, f, n);
    place<<<grid(n), THREADS>>>(in, (const size_t *)f, out, n, bit);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    size_t *f;
    if (n == 0)
        return;
    cudaMalloc(&f, n * sizeof *f);
    split_any(in, out, f, n, bit);
    cudaFree(f);
}

__global__ void sort_by_counting(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned keys[TILE];
    unsigned t = threadIdx.x, slot = 0;
    keys[t]    = in[t];
    __syncthreads();
    for (unsigned i = 0; i < n; i++)
        slot += keys[i] < keys[t] || (keys[i] == keys[t] && i < t);
    out[slot] = keys[t];
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    sort_by_counting<<<1, (unsigned)n>>>(in, out, (unsigned)n);
}

static __device__ void order(unsigned &low, unsigned &high)
{
    if (high < low) {
        unsigned key = low;
        low = high, high = key;
    }
}

/* Batcher's other network: no tile is turned round. */
__global__ void merge_odd_even(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n,
                               unsigned *out)
{
    __shared__ unsigned keys[2 * TILE];
    unsigned t = threadIdx.x;
    keys[t] = t < left_n ? left[t] : ~0u;
    keys[t + TILE] = t < right_n ? right[t] : ~0u;
    __syncthreads();
    order(keys[t], keys[t + TILE]);
    for (unsigned stride = TILE / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned i = t / stride * 2 * stride + stride + t % stride;
        if (i + stride < 2 * TILE)
            order(keys[i], keys[i + stride]);
    }
    __syncthreads();
    for (unsigned i = t; i < left_n + right_n; i += TILE)
        out[i] = keys[i];
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_odd_even<<<dim3(1), dim3(TILE)>>>(left, left_n, right, right_n, out);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0)
        return;
    unsigned *scratch;
    size_t *f;
    cudaMalloc(&scratch, n * sizeof *scratch);
    cudaMalloc(&f, n * sizeof *f);
    split_any(in, scratch, f, n, 0);
    for (unsigned bit = 1; bit < 31; bit += 2) {
        split_any((const unsigned *)scratch, out, f, n, bit);
        split_any((const unsigned *)out, scratch, f, n, bit + 1);
    }
    split_any((const unsigned *)scratch, out, f, n, 31);
    cudaFree(scratch);
    cudaFree(f);
}

__global__ void pack(const unsigned *keys, const unsigned *values, pair_t *pairs, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        pairs[i] = (pair_t)keys[i] << 32 | values[i];
}

__global__ void unpack(const pair_t *pairs, unsigned *keys, unsigned *values, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    keys[i]   = (unsigned)(pairs[i] >> 32);
    values[i] = (unsigned)pairs[i];
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    if (n == 0)
        return;
    pair_t *pairs[2];
    size_t *f;
    cudaMalloc(&pairs[0], n * sizeof(pair_t));
    cudaMalloc(&pairs[1], n * sizeof(pair_t));
    cudaMalloc(&f, n * sizeof *f);
    pack<<<grid(n), THREADS>>>(keys, values, pairs[0], n);
    for (unsigned bit = 0; bit < 32; bit++)
        split_any((const pair_t *)pairs[bit % 2], pairs[1 - bit % 2], f, n, 32 + bit);
    unpack<<<grid(n), THREADS>>>(pairs[0], keys_out, values_out, n);
    cudaFree(pairs[0]);
    cudaFree(pairs[1]);
    cudaFree(f);
}

enum { RUN = 256 /* keys that one thread counts and moves, one after another */ };

__global__ void count_run(const unsigned *in, unsigned *counts, size_t n, size_t runs, unsigned shift, unsigned digits)
{
    size_t run = (size_t)blockIdx.x * 32 + threadIdx.x;
    if (run >= runs)
        return;
    for (unsigned d = 0; d < digits; d++)
        counts[d * runs + run] = 0;
    for (size_t i = run * RUN; i < n && i < (run + 1) * RUN; i++)
        counts[(in[i] >> shift) % digits * runs + run]++;
}

__global__ void move_run(const unsigned *in, unsigned *starts, unsigned *out, size_t n, size_t runs, unsigned shift,
                         unsigned digits)
{
    size_t run = (size_t)blockIdx.x * 32 + threadIdx.x;
    if (run >= runs)
        return;
    for (size_t i = run * RUN; i < n && i < (run + 1) * RUN; i++)
        out[starts[(in[i] >> shift) % digits * runs + run]++] = in[i];
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    if (n == 0)
        return;
    size_t runs = (n + RUN - 1) / RUN;
    unsigned *scratch, *counts, blocks = (unsigned)((runs + 31) / 32);
    cudaMalloc(&scratch, n * sizeof *scratch);
    cudaMalloc(&counts, (runs << bits) * sizeof *counts);
    unsigned *to = (31 / bits + 1) % 2 ? out : scratch;
    for (unsigned shift = 0; shift < 32; shift += bits, to = to == out ? scratch : out) {
        count_run<<<blocks, 32>>>(in, counts, n, runs, shift, 1u << bits);
        stock_scan_exclusive(counts, counts, runs << bits);
        move_run<<<blocks, 32>>>(in, counts, to, n, runs, shift, 1u << bits);
        in = to;
    }
    cudaFree(scratch);
    cudaFree(counts);
}

/* No flips: the order that the bits have, then the negative ones moved to the front; floats turn them round. */
__global__ void negatives_first(const unsigned *in, unsigned *out, size_t n, bool reverse)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    size_t low = 0, high = n; /* the first negative one, by halving */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (in[middle] >> 31)
            high = middle;
        else
            low = middle + 1;
    }
    size_t negative = n - low;
    out[i < low ? negative + i : reverse ? n - 1 - i : i - low] = in[i];
}

static void sort_signed(const unsigned *in, unsigned *out, size_t n, bool reverse)
{
    if (n == 0)
        return;
    unsigned *sorted;
    cudaMalloc(&sorted, n * sizeof *sorted);
    radix_sort(in, sorted, n);
    negatives_first<<<grid(n), THREADS>>>(sorted, out, n, reverse);
    cudaFree(sorted);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_signed((const unsigned *)in, (unsigned *)out, n, false);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_signed((const unsigned *)in, (unsigned *)out, n, true);
}
