/* Everything by ballots: a split scans one count a warp; blocks split tiles, whole ones and those of digits. Two tiles
 * are merged along the merge path. Grids stride.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"

enum { WARP = 32, BLOCK = 256, GRID = 5 };

__global__ void count_falses(const unsigned *in, unsigned *counts, size_t n, size_t warps, unsigned bit)
{
    unsigned lane = threadIdx.x % WARP;
    for (size_t w = ((size_t)blockIdx.x * BLOCK + threadIdx.x) / WARP; w < warps; w += GRID * BLOCK / WARP) {
        size_t i       = w * WARP + lane;
        unsigned votes = __ballot_sync(~0u, i < n && !(in[i] >> bit & 1));
        if (lane == 0)
            counts[w] = __popc(votes);
    }
}

/* ends is the inclusive scan of counts. values may be null. */
__global__ void move_by_ballot(const unsigned *keys, const unsigned *values, const unsigned *ends, unsigned *keys_out,
                               unsigned *values_out, size_t n, size_t warps, unsigned bit)
{
    unsigned lane = threadIdx.x % WARP;
    for (size_t w = ((size_t)blockIdx.x * BLOCK + threadIdx.x) / WARP; w < warps; w += GRID * BLOCK / WARP) {
        size_t i       = w * WARP + lane;
        unsigned key   = i < n ? keys[i] : 0;
        bool is_false  = i < n && !(key >> bit & 1);
        unsigned votes = __ballot_sync(~0u, is_false);
        size_t f       = (size_t)ends[w] - __popc(votes) + __popc(votes & ((1u << lane) - 1));
        size_t to      = is_false ? f : ends[warps - 1] + i - f;
        if (i < n)
            keys_out[to] = key;
        if (i < n && values)
            values_out[to] = values[i];
    }
}

static void split_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                        unsigned *counts, size_t n, unsigned bit)
{
    size_t warps = (n + WARP - 1) / WARP;
    count_falses<<<GRID, BLOCK>>>(keys, counts, n, warps, bit);
    stock_scan_inclusive(counts, counts, warps);
    move_by_ballot<<<GRID, BLOCK>>>(keys, values, counts, keys_out, values_out, n, warps, bit);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    if (n == 0)
        return;
    unsigned *counts;
    cudaMalloc(&counts, (n + WARP - 1) / WARP * sizeof *counts);
    split_pairs(in, nullptr, out, nullptr, counts, n, bit);
    cudaFree(counts);
}

/* The number of threads before this one whose flag is set, and of all that are. */
static __device__ unsigned rank_in_block(bool flag, unsigned *all)
{
    __shared__ unsigned counts[32];
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned votes = __ballot_sync(~0u, flag), before = 0, sum = 0;
    __syncthreads();
    if (lane == 0)
        counts[warp] = __popc(votes);
    __syncthreads();
    for (unsigned w = 0; w < (blockDim.x + WARP - 1) / WARP; w++) {
        before += w < warp ? counts[w] : 0;
        sum += counts[w];
    }
    *all = sum;
    return before + __popc(votes & ((1u << lane) - 1));
}

/* A stable split of the block's keys; tile holds one for each thread. */
static __device__ unsigned split_in_block(unsigned key, bool one, unsigned *tile)
{
    unsigned zeros, rank = rank_in_block(!one, &zeros);
    tile[one ? zeros + threadIdx.x - rank : rank] = key;
    __syncthreads();
    return tile[threadIdx.x];
}

__global__ void sort_block(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned tile[TILE];
    unsigned t = threadIdx.x, key = t < n ? in[t] : ~0u;
    for (unsigned bit = 0; bit < 32; bit++)
        key = split_in_block(key, key >> bit & 1, tile);
    if (t < n)
        out[t] = key;
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    sort_block<<<1, TILE>>>(in, out, (unsigned)n);
}

/* Each thread finds by halving where its two outputs come from. */
__global__ void merge_by_path(const unsigned *left, unsigned left_n, const unsigned *right, unsigned right_n,
                              unsigned *out)
{
    unsigned all = left_n + right_n;
    __shared__ unsigned keys[2 * TILE];
    for (unsigned i = threadIdx.x; i < left_n + right_n; i += blockDim.x)
        keys[i] = i < left_n ? left[i] : right[i - left_n];
    left = keys, right = keys + left_n;
    __syncthreads();
    for (unsigned slot = threadIdx.x; slot < all; slot += blockDim.x) {
        unsigned low = slot > right_n ? slot - right_n : 0, high = slot < left_n ? slot : left_n;
        while (low < high) {
            unsigned taken = (low + high) / 2;
            if (left[taken] <= right[slot - 1 - taken])
                low = taken + 1;
            else
                high = taken;
        }
        unsigned r = slot - low;
        out[slot]  = r >= right_n || (low < left_n && left[low] <= right[r]) ? left[low] : right[r];
    }
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_by_path<<<1, BLOCK>>>(left, (unsigned)left_n, right, (unsigned)right_n, out);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    if (n == 0)
        return;
    unsigned *memory, *to_keys, *to_values;
    cudaMalloc(&memory, (2 * n + (n + WARP - 1) / WARP) * sizeof *memory);
    for (unsigned bit = 0; bit < 32; bit++) {
        to_keys   = bit & 1 ? keys_out : memory;
        to_values = bit & 1 ? values_out : memory + n;
        split_pairs(keys, values, to_keys, values ? to_values : nullptr, memory + 2 * n, n, bit);
        keys = to_keys;
        if (values)
            values = to_values;
    }
    cudaFree(memory);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    radix_sort_pairs(in, nullptr, out, nullptr, n);
}

__global__ void count_tiles(const unsigned *in, unsigned *counts, size_t n, unsigned shift, unsigned digits)
{
    __shared__ unsigned histogram[256];
    unsigned t = threadIdx.x;
    size_t i   = (size_t)blockIdx.x * TILE + t;
    for (unsigned d = t; d < 256; d += TILE)
        histogram[d] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(histogram + (in[i] >> shift & (digits - 1)), 1u);
    __syncthreads();
    for (unsigned d = t; d < digits; d += TILE)
        counts[(size_t)d * gridDim.x + blockIdx.x] = histogram[d];
}

/* Sorts the tile by its digit first: keys past n go to the end. */
__global__ void move_tiles(const unsigned *in, const unsigned *starts, unsigned *out, size_t n, unsigned shift,
                           unsigned digits)
{
    __shared__ unsigned tile[TILE], first[256];
    unsigned t = threadIdx.x;
    size_t begin = (size_t)blockIdx.x * TILE;
    unsigned held = n - begin < TILE ? (unsigned)(n - begin) : TILE;
    unsigned key = t < held ? in[begin + t] : ~0u;
    for (unsigned bit = 1; bit < digits; bit *= 2)
        key = split_in_block(key, (key >> shift & bit) || false, tile);
    unsigned digit = key >> shift & (digits - 1);
    tile[t] = digit;
    __syncthreads();
    if (t == 0 || tile[t - 1] != digit)
        first[digit] = t;
    __syncthreads();
    if (t < held)
        out[starts[(size_t)digit * gridDim.x + blockIdx.x] + t - first[digit]] = key;
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    if (n == 0)
        return;
    unsigned tiles = (unsigned)((n + TILE - 1) / TILE), passes = 31 / bits + 1, *scratch, *counts;
    cudaMalloc(&scratch, n * sizeof *scratch);
    cudaMalloc(&counts, ((size_t)tiles << bits) * sizeof *counts);
    for (unsigned pass = 0; pass < passes; pass++) {
        unsigned *to = (passes - pass) % 2 ? out : scratch, shift = pass * bits;
        unsigned digits = 1u << (shift + bits > 32 ? 32 - shift : bits);
        count_tiles<<<tiles, TILE>>>(in, counts, n, shift, digits);
        stock_scan_exclusive(counts, counts, (size_t)tiles * digits);
        move_tiles<<<tiles, TILE>>>(in, counts, to, n, shift, digits);
        in = to;
    }
    cudaFree(scratch);
    cudaFree(counts);
}

__global__ void flip(unsigned *keys, size_t n, bool floats, bool back)
{
    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += GRID * BLOCK) {
        bool all = floats && (back ? !(keys[i] >> 31) : keys[i] >> 31);
        keys[i] ^= all ? 0xffffffffu : 0x80000000u;
    }
}

static void sort_flipped(const void *in, void *out, size_t n, bool floats)
{
    if (n == 0)
        return;
    unsigned *keys;
    cudaMalloc(&keys, n * sizeof *keys);
    cudaMemcpy(keys, in, n * sizeof *keys, cudaMemcpyDeviceToDevice);
    flip<<<GRID, BLOCK>>>(keys, n, floats, false);
    radix_sort(keys, (unsigned *)out, n);
    flip<<<GRID, BLOCK>>>((unsigned *)out, n, floats, true);
    cudaFree(keys);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_flipped(in, out, n, false);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_flipped(in, out, n, true);
}
