/* Hardly a radix sort: whole arrays are sorted by merging tiles, and a key's slot is its rank in the other run. Splits
 * count with a scan of both kinds; digits with one thread a digit.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"

enum { WIDTH = 192 };

static unsigned blocks(size_t n)
{
    return (unsigned)(n / WIDTH + (n % WIDTH > 0));
}

#define OWN_INDEX ((size_t)blockIdx.x * WIDTH + threadIdx.x)

/* Ones of one bit, kept as they are, and scanned inclusively: there are i + 1 - ones[i] zeros up to i. */
__global__ void ones_of_bit(const unsigned *in, unsigned *ones, size_t n, unsigned bit)
{
    if (OWN_INDEX < n)
        ones[OWN_INDEX] = (in[OWN_INDEX] & 1u << bit) != 0;
}

__global__ void put(const unsigned *in, const unsigned *ones, unsigned *out, size_t n)
{
    size_t i = OWN_INDEX;
    if (i >= n)
        return;
    unsigned before = i > 0 ? ones[i - 1] : 0;
    if (ones[i] > before)
        out[n - ones[n - 1] + before] = in[i];
    else
        out[i - before] = in[i];
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    if (n == 0)
        return;
    unsigned *ones;
    cudaMalloc(&ones, n * sizeof *ones);
    ones_of_bit<<<blocks(n), WIDTH>>>(in, ones, n, bit);
    stock_scan_inclusive(ones, ones, n);
    put<<<blocks(n), WIDTH>>>(in, ones, out, n);
    cudaFree(ones);
}

/* Keys of runs of `run`: the slot is the place in its own run and the rank in the neighbour. Stable. */
template <typename Less>
__global__ void merge_runs(const unsigned *in, const unsigned *values, unsigned *out, unsigned *values_out, size_t n,
                           size_t run, Less less)
{
    size_t i = OWN_INDEX;
    if (i >= n)
        return;
    size_t pair = i / (2 * run) * (2 * run), middle = pair + run < n ? pair + run : n;
    size_t end  = pair + 2 * run < n ? pair + 2 * run : n;
    bool left   = i < middle;
    size_t low = left ? middle : pair, high = left ? end : middle, from = low;
    unsigned key = in[i];
    while (low < high) {
        size_t probe = low + (high - low) / 2;
        if (left ? less(in[probe], key) : !less(key, in[probe]))
            low = probe + 1;
        else
            high = probe;
    }
    size_t slot = pair + (left ? i - pair : i - middle) + (low - from);
    out[slot]   = key;
    if (values)
        values_out[slot] = values[i];
}

struct LessUnsigned {
    __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};
struct LessInt {
    __host__ __device__ bool operator()(unsigned a, unsigned b) const { return (int)a < (int)b; }
};
struct LessFloat {
    __host__ __device__ long long order(unsigned bits) const
    {
        long long size = bits & 0x7fffffff;
        return bits >> 31 ? -1 - size : size;
    }
    __host__ __device__ bool operator()(unsigned a, unsigned b) const { return order(a) < order(b); }
};

template <typename Less>
static void sort_by_merges(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                           size_t n, Less less)
{
    if (n == 0)
        return;
    unsigned *memory;
    cudaMalloc(&memory, 2 * n * sizeof *memory);
    int left = 1;
    for (size_t run = 2; run < n; run *= 2)
        left++;
    for (size_t run = 1; left-- > 0; run *= 2) {
        unsigned *to = left % 2 ? memory : keys_out, *values_to = left % 2 ? memory + n : values_out;
        merge_runs<<<blocks(n), WIDTH>>>(keys, values, to, values_to, n, run, less);
        keys   = to;
        values = values ? values_to : nullptr;
    }
    cudaFree(memory);
}

__global__ void sort_pairs_of_neighbours(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned keys[2][TILE];
    unsigned t = threadIdx.x, from = 0;
    if (t < n)
        keys[0][t] = in[t];
    for (unsigned run = 1; run < n; run *= 2, from = 1 - from) {
        __syncthreads();
        if (t >= n)
            continue;
        unsigned pair = t & ~(2 * run - 1), middle = min(pair + run, n), end = min(pair + 2 * run, n);
        unsigned slot = t < middle ? t : pair + t - middle, key = keys[from][t];
        for (unsigned i = t < middle ? middle : pair; i < (t < middle ? end : middle); i++)
            slot += t < middle ? keys[from][i] < key : keys[from][i] <= key;
        keys[1 - from][slot] = key;
    }
    __syncthreads();
    if (t < n)
        out[t] = keys[from][t];
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    sort_pairs_of_neighbours<<<1, TILE>>>(in, out, (unsigned)n);
}

enum { PIECES = 64 };

/* Each thread takes the smaller first key, over and over, from where its piece of the output begins: a binary search
 * finds how many of the keys before that are left's. */
__global__ void merge_pieces(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    __shared__ unsigned keys[2 * TILE];
    for (size_t i = threadIdx.x; i < left_n + right_n; i += blockDim.x)
        keys[i] = i < left_n ? left[i] : right[i - left_n];
    left = keys, right = keys + left_n;
    __syncthreads();
    size_t all = left_n + right_n, begin = all * threadIdx.x / PIECES, end = all * (threadIdx.x + 1) / PIECES;
    size_t l = begin > right_n ? begin - right_n : 0, high = begin < left_n ? begin : left_n;
    while (l < high) {
        size_t middle = (l + high) / 2;
        if (left[middle] <= right[begin - 1 - middle])
            l = middle + 1;
        else
            high = middle;
    }
    size_t r = begin - l;
    while (l + r < end) {
        bool take_left = r == right_n || (l < left_n && left[l] <= right[r]);
        out[l + r]     = take_left ? left[l] : right[r];
        if (take_left)
            l++;
        else
            r++;
    }
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_pieces<<<1, PIECES>>>(left, left_n, right, right_n, out);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort_by_merges(in, nullptr, out, nullptr, n, LessUnsigned());
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    sort_by_merges(keys, values, keys_out, values_out, n, LessUnsigned());
}

/* One thread a digit walks over a stretch of keys: counts them, or moves them. */
__global__ void walk(const unsigned *in, unsigned *places, unsigned *out, size_t n, unsigned shift)
{
    unsigned digit = threadIdx.x;
    size_t end     = n - (size_t)blockIdx.x * TILE < TILE ? n : (size_t)(blockIdx.x + 1) * TILE;
    unsigned place = out ? places[(size_t)digit * gridDim.x + blockIdx.x] : 0;
    for (size_t i = (size_t)blockIdx.x * TILE; i < end; i++)
        if ((in[i] >> shift & (blockDim.x - 1)) == digit) {
            if (out)
                out[place] = in[i];
            place++;
        }
    if (!out)
        places[(size_t)digit * gridDim.x + blockIdx.x] = place;
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    if (n == 0)
        return;
    unsigned tiles = (unsigned)((n + TILE - 1) / TILE), *scratch, *places;
    cudaMalloc(&scratch, n * sizeof *scratch);
    cudaMalloc(&places, ((size_t)tiles << bits) * sizeof *places);
    for (unsigned done = 0, left = (32 + bits - 1) / bits; left > 0; done += bits) {
        unsigned *to = --left % 2 ? scratch : out, digits = 1u << min(bits, 32 - done);
        walk<<<tiles, digits>>>(in, places, nullptr, n, done);
        stock_scan_exclusive(places, places, (size_t)tiles * digits);
        walk<<<tiles, digits>>>(in, places, to, n, done);
        in = to;
    }
    cudaFree(scratch);
    cudaFree(places);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_by_merges((const unsigned *)in, nullptr, (unsigned *)out, nullptr, n, LessInt());
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_by_merges((const unsigned *)in, nullptr, (unsigned *)out, nullptr, n, LessFloat());
}
