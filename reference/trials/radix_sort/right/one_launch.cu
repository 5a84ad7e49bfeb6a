/* One launch for a whole sort: a cooperative grid whose threads each own a stretch of the keys, count its digits and move
 * them, pass after pass. The grid's barriers order global memory too.
 *
 * parts: split merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"
#include <cooperative_groups.h>

enum { WIDTH = 16, BLOCKS = 4, STRETCHES = WIDTH * BLOCKS /* threads */ };

struct job {
    const unsigned *keys, *values; /* values: null where there are none */
    unsigned *keys_out, *values_out, *scratch, *values_scratch;
    unsigned *places; /* of each digit and thread */
    unsigned *sums;   /* of as many of these places as there are digits */
    size_t n;
    unsigned begin, end, bits; /* sort by bits begin to end - 1, so many a pass */
};

__global__ void sort_in_one_launch(job job)
{
    auto grid      = cooperative_groups::this_grid();
    unsigned t     = blockIdx.x * WIDTH + threadIdx.x;
    size_t stretch = (job.n + STRETCHES - 1) / STRETCHES;
    size_t first   = min((size_t)t * stretch, job.n), last = min(first + stretch, job.n);
    unsigned left  = (job.end - job.begin + job.bits - 1) / job.bits;

    for (unsigned shift = job.begin; shift < job.end; shift += job.bits) {
        unsigned digits = 1u << min(job.bits, job.end - shift);
        unsigned *keys_to = --left % 2 ? job.scratch : job.keys_out;
        unsigned *values_to = left % 2 ? job.values_scratch : job.values_out;

        for (unsigned d = 0; d < digits; d++)
            job.places[d * STRETCHES + t] = 0;
        for (size_t i = first; i < last; i++)
            job.places[(job.keys[i] >> shift & (digits - 1)) * STRETCHES + t]++;
        grid.sync();
        unsigned *mine = job.places + t * digits, sum = 0;
        for (unsigned d = 0; d < digits; d++)
            sum += mine[d];
        job.sums[t] = sum;
        grid.sync();
        sum = 0;
        for (unsigned before = 0; before < t; before++)
            sum += job.sums[before];
        for (unsigned d = 0; d < digits; d++) {
            unsigned count = mine[d];
            mine[d]        = sum;
            sum += count;
        }
        grid.sync();
        for (size_t i = first; i < last; i++) {
            unsigned slot = job.places[(job.keys[i] >> shift & (digits - 1)) * STRETCHES + t]++;
            keys_to[slot] = job.keys[i];
            if (job.values)
                values_to[slot] = job.values[i];
        }
        grid.sync();
        job.keys = keys_to;
        if (job.values)
            job.values = values_to;
    }
}

static void sort_bits(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n,
                      unsigned begin, unsigned end, unsigned bits)
{
    if (n == 0)
        return;
    job all = {keys, values, keys_out, values_out, nullptr, nullptr, nullptr, nullptr, n, begin, end, bits};
    cudaMalloc(&all.scratch, n * sizeof(unsigned));
    if (values)
        cudaMalloc(&all.values_scratch, n * sizeof(unsigned));
    cudaMalloc(&all.places, ((size_t)STRETCHES << bits) * sizeof(unsigned));
    cudaMalloc(&all.sums, STRETCHES * sizeof(unsigned));
    void *arguments[] = {&all};
    cudaLaunchCooperativeKernel((const void *)sort_in_one_launch, dim3(BLOCKS), dim3(WIDTH), arguments, 0, nullptr);
    cudaFree(all.sums);
    cudaFree(all.places);
    if (values)
        cudaFree(all.values_scratch);
    cudaFree(all.scratch);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    sort_bits(in, nullptr, out, nullptr, n, bit, bit + 1, 1);
}

/* Every key looks for its slot. */
__global__ void merge_by_searching(const unsigned *left, unsigned left_n, const unsigned *right, unsigned right_n,
                                  unsigned *out)
{
    __shared__ unsigned keys[2 * TILE];
    for (unsigned i = threadIdx.x; i < left_n + right_n; i += blockDim.x)
        keys[i] = i < left_n ? left[i] : right[i - left_n];
    left = keys, right = keys + left_n;
    __syncthreads();
    for (unsigned t = threadIdx.x; t < left_n; t += TILE) {
        unsigned key = left[t], smaller = 0;
        for (unsigned end = right_n; smaller < end;) {
            unsigned middle = (smaller + end) / 2;
            (right[middle] < key ? smaller : end) = right[middle] < key ? middle + 1 : middle;
        }
        out[t + smaller] = key;
    }
    for (unsigned t = threadIdx.x; t < right_n; t += TILE) {
        unsigned key = right[t], before = 0;
        for (unsigned end = left_n; before < end;) {
            unsigned middle = (before + end) / 2;
            (left[middle] <= key ? before : end) = left[middle] <= key ? middle + 1 : middle;
        }
        out[t + before] = key;
    }
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_by_searching<<<1, TILE>>>(left, (unsigned)left_n, right, (unsigned)right_n, out);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort_bits(in, nullptr, out, nullptr, n, 0, 32, 5);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    sort_bits(keys, values, keys_out, values_out, n, 0, 32, 4);
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    sort_bits(in, nullptr, out, nullptr, n, 0, 32, bits);
}

/* Flips the sign bit, or all bits of the floats whose highest bit is `negative`. */
__global__ void flip(const unsigned *in, unsigned *out, size_t n, bool floats, unsigned negative)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] ^ (floats && in[i] >> 31 == negative ? 0xffffffffu : 0x80000000u);
}

static void sort_flipped(const unsigned *in, unsigned *out, size_t n, bool floats)
{
    if (n == 0)
        return;
    unsigned *keys, blocks = (unsigned)((n + 63) / 64);
    cudaMalloc(&keys, n * sizeof *keys);
    flip<<<blocks, 64>>>(in, out, n, floats, 1);
    sort_bits(out, nullptr, keys, nullptr, n, 0, 32, 6);
    flip<<<blocks, 64>>>(keys, out, n, floats, 0);
    cudaFree(keys);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_flipped((const unsigned *)in, (unsigned *)out, n, false);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_flipped((const unsigned *)in, (unsigned *)out, n, true);
}
