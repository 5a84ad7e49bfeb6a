/* One thread does everything: a loop over the keys in a kernel of <<<1, 1>>>.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float
 * says: one thread does */
#include "radix_sort.h"

__global__ void split_kernel(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    size_t to = 0;
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < n; i++)
            if ((in[i] >> bit & 1) == side)
                out[to++] = in[i];
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    split_kernel<<<1, 1>>>(in, out, n, bit);
}

__global__ void merge_kernel(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    size_t l = 0, r = 0;
    while (l < left_n || r < right_n)
        if (r == right_n || (l < left_n && left[l] <= right[r]))
            *out++ = left[l++];
        else
            *out++ = right[r++];
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_kernel<<<1, 1>>>(left, left_n, right, right_n, out);
}

/* Counting sort by bytes; flips has what is done to a key before, so that its bits have the order of the keys. */
enum flips { NO_FLIP, FLIP_INT, FLIP_FLOAT };

__device__ unsigned flipped(unsigned key, int flips)
{
    if (flips == FLIP_INT)
        return key ^ 0x80000000u;
    return flips == FLIP_FLOAT ? key ^ (key >> 31 ? 0xffffffffu : 0x80000000u) : key;
}

__global__ void sort_kernel(const unsigned *in, const unsigned *values, unsigned *out, unsigned *values_out,
                            unsigned *other, unsigned *other_values, size_t n, int flips)
{
    const unsigned *from = in, *from_values = values;
    for (unsigned shift = 0; shift < KEY_BITS; shift += 8) {
        unsigned starts[257] = {}, *to = shift % 16 ? out : other, *to_values = shift % 16 ? values_out : other_values;
        for (size_t i = 0; i < n; i++)
            starts[(flipped(from[i], flips) >> shift & 255) + 1]++;
        for (unsigned d = 0; d < 256; d++)
            starts[d + 1] += starts[d];
        for (size_t i = 0; i < n; i++) {
            unsigned place = starts[flipped(from[i], flips) >> shift & 255]++;
            to[place]      = from[i];
            if (values)
                to_values[place] = from_values[i];
        }
        from        = to;
        from_values = to_values;
    }
}

static void sort_serially(const unsigned *in, const unsigned *values, unsigned *out, unsigned *values_out, size_t n,
                          int flips)
{
    unsigned *other;
    if (n == 0)
        return;
    cudaMalloc(&other, 2 * n * sizeof *other);
    sort_kernel<<<1, 1>>>(in, values, out, values_out, other, other + n, n, flips);
    cudaFree(other);
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    sort_serially(in, NULL, out, NULL, n, NO_FLIP);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort_serially(in, NULL, out, NULL, n, NO_FLIP);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    sort_serially(keys, values, keys_out, values_out, n, NO_FLIP);
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    (void)bits;
    sort_serially(in, NULL, out, NULL, n, NO_FLIP);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_serially((const unsigned *)in, NULL, (unsigned *)out, NULL, n, FLIP_INT);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_serially((const unsigned *)in, NULL, (unsigned *)out, NULL, n, FLIP_FLOAT);
}
