/* Splits that count ones from the right, scans in place, one scratch allocation for everything; the tile is sorted
 * by a bitonic network, and two tiles are merged by ranks. Pairs carry a permutation. Digits by __match_any_sync.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"

enum { BLOCK = 128 };

static unsigned blocks(size_t n)
{
    return (unsigned)((n + BLOCK - 1) / BLOCK);
}

static __device__ size_t own_index()
{
    return blockIdx.x * (size_t)BLOCK + threadIdx.x;
}

__global__ void flag_ones(const unsigned *in, unsigned *ones, size_t n, unsigned bit)
{
    size_t i = own_index();
    if (i < n)
        ones[i] = in[i] >> bit & 1;
}

/* ones is the inclusive scan. */
__global__ void move_by_ones(const unsigned *in, const unsigned *ones, unsigned *out, size_t n, unsigned bit)
{
    size_t i = own_index();
    if (i >= n)
        return;
    size_t zeros = n - ones[n - 1];
    out[in[i] >> bit & 1 ? zeros + ones[i] - 1 : i - ones[i]] = in[i];
}

static void split_with(const unsigned *in, unsigned *out, unsigned *ones, size_t n, unsigned bit)
{
    flag_ones<<<blocks(n), BLOCK>>>(in, ones, n, bit);
    stock_scan_inclusive(ones, ones, n);
    move_by_ones<<<blocks(n), BLOCK>>>(in, ones, out, n, bit);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    unsigned *ones;
    if (n == 0)
        return;
    cudaMalloc(&ones, n * sizeof *ones);
    split_with(in, out, ones, n, bit);
    cudaFree(ones);
}

__global__ void sort_bitonic(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned keys[TILE];
    unsigned t = threadIdx.x;
    keys[t]    = t < n ? in[t] : ~0u;
    for (unsigned run = 2; run <= TILE; run *= 2)
        for (unsigned stride = run / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned other = t ^ stride;
            unsigned mine = keys[t], theirs = keys[other];
            bool up = (t & run) == 0, low = t < other;
            __syncthreads();
            keys[t] = (mine < theirs) == (up == low) ? mine : theirs;
        }
    if (t < n)
        out[t] = keys[t];
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    sort_bitonic<<<1, TILE>>>(in, out, (unsigned)n);
}

/* How many of the sorted keys are less than key, or no more than it. */
static __device__ unsigned keys_below(const unsigned *keys, unsigned n, unsigned key, bool or_equal)
{
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (keys[middle] < key || (or_equal && keys[middle] == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge_by_rank(const unsigned *left, unsigned left_n, const unsigned *right, unsigned right_n,
                              unsigned *out)
{
    unsigned t = threadIdx.x;
    __shared__ unsigned keys[2 * TILE];
    for (unsigned i = threadIdx.x; i < left_n + right_n; i += blockDim.x)
        keys[i] = i < left_n ? left[i] : right[i - left_n];
    left = keys, right = keys + left_n;
    __syncthreads();
    if (t < left_n)
        out[t + keys_below(right, right_n, left[t], false)] = left[t];
    if (t < right_n)
        out[t + keys_below(left, left_n, right[t], true)] = right[t];
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_by_rank<<<1, TILE>>>(left, (unsigned)left_n, right, (unsigned)right_n, out);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0)
        return;
    unsigned *memory;
    cudaMalloc(&memory, 2 * n * sizeof *memory);
    cudaMemcpy(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    for (unsigned bit = 0; bit < 32; bit += 2) {
        split_with(out, memory, memory + n, n, bit);
        split_with(memory, out, memory + n, n, bit + 1);
    }
    cudaFree(memory);
}

__global__ void count_up(unsigned *places, size_t n)
{
    size_t i = own_index();
    if (i < n)
        places[i] = (unsigned)i;
}

__global__ void gather(const unsigned *in, const unsigned *places, unsigned *out, size_t n)
{
    size_t i = own_index();
    if (i < n)
        out[i] = in[places[i]];
}

__global__ void move_places(const unsigned *keys, const unsigned *places, const unsigned *ones, unsigned *out, size_t n,
                            unsigned bit)
{
    size_t i = own_index();
    if (i >= n)
        return;
    size_t zeros = n - ones[n - 1];
    out[keys[i] >> bit & 1 ? zeros + ones[i] - 1 : i - ones[i]] = places[i];
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    if (n == 0)
        return;
    unsigned *memory, *from, *to, *ones;
    cudaMalloc(&memory, 3 * n * sizeof *memory);
    from = memory, to = memory + n, ones = memory + 2 * n;
    count_up<<<blocks(n), BLOCK>>>(from, n);
    for (unsigned bit = 0; bit < 32; bit++) {
        gather<<<blocks(n), BLOCK>>>(keys, from, keys_out, n);
        flag_ones<<<blocks(n), BLOCK>>>(keys_out, ones, n, bit);
        stock_scan_inclusive(ones, ones, n);
        move_places<<<blocks(n), BLOCK>>>(keys_out, from, ones, to, n, bit);
        unsigned *swap = from;
        from = to, to = swap;
    }
    gather<<<blocks(n), BLOCK>>>(keys, from, keys_out, n);
    gather<<<blocks(n), BLOCK>>>(values, from, values_out, n);
    cudaFree(memory);
}

/* One block of one warp a tile of 256 keys: eight rows, one after another. */
__global__ void warp_histogram(const unsigned *in, unsigned *counts, size_t n, unsigned shift, unsigned digits)
{
    size_t first = (size_t)blockIdx.x * 256;
    for (unsigned d = threadIdx.x; d < digits; d += 32)
        counts[(size_t)d * gridDim.x + blockIdx.x] = 0;
    __syncwarp();
    for (unsigned row = 0; row < 8; row++) {
        size_t i = first + row * 32 + threadIdx.x;
        if (i < n)
            atomicAdd(&counts[(size_t)(in[i] >> shift & (digits - 1)) * gridDim.x + blockIdx.x], 1u);
    }
}

__global__ void warp_move(const unsigned *in, const unsigned *starts, unsigned *out, size_t n, unsigned shift,
                          unsigned digits)
{
    __shared__ unsigned next[256];
    size_t first = (size_t)blockIdx.x * 256;
    for (unsigned d = threadIdx.x; d < digits; d += 32)
        next[d] = starts[(size_t)d * gridDim.x + blockIdx.x];
    for (unsigned row = 0; row < 8; row++) {
        size_t i       = first + row * 32 + threadIdx.x;
        unsigned key   = i < n ? in[i] : 0;
        unsigned digit = i < n ? key >> shift & (digits - 1) : 256;
        unsigned peers = __match_any_sync(~0u, digit);
        unsigned rank  = __popc(peers & ((1u << threadIdx.x) - 1));
        __syncwarp();
        unsigned begin = i < n ? next[digit] : 0;
        __syncwarp();
        if (i < n && rank == 0)
            next[digit] = begin + __popc(peers);
        if (i < n)
            out[begin + rank] = key;
    }
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    if (n == 0)
        return;
    unsigned tiles = (unsigned)((n + 255) / 256), *memory, *counts;
    cudaMalloc(&memory, 2 * n * sizeof *memory);
    cudaMalloc(&counts, ((size_t)tiles << bits) * sizeof *counts);
    unsigned *from = memory, *to = memory + n;
    cudaMemcpy(from, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    for (unsigned shift = 0; shift < 32; shift += bits) {
        warp_histogram<<<tiles, 32>>>(from, counts, n, shift, 1u << bits);
        stock_scan_exclusive(counts, counts, (size_t)tiles << bits);
        warp_move<<<tiles, 32>>>(from, counts, to, n, shift, 1u << bits);
        unsigned *swap = from;
        from = to, to = swap;
    }
    cudaMemcpy(out, from, n * sizeof *out, cudaMemcpyDeviceToDevice);
    cudaFree(memory);
    cudaFree(counts);
}

__global__ void add_offset(const int *in, int *out, size_t n)
{
    size_t i = own_index();
    if (i < n)
        out[i] = (int)((unsigned)in[i] + 0x80000000u);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    if (n == 0)
        return;
    int *shifted;
    cudaMalloc(&shifted, n * sizeof *shifted);
    add_offset<<<blocks(n), BLOCK>>>(in, shifted, n);
    radix_sort((const unsigned *)shifted, (unsigned *)out, n);
    add_offset<<<blocks(n), BLOCK>>>(out, out, n);
    cudaFree(shifted);
}

__global__ void flip(const unsigned *in, unsigned *out, size_t n, bool back)
{
    size_t i = own_index();
    if (i >= n)
        return;
    int sign = (int)in[i] >> 31; /* all ones or all zeros */
    out[i]   = in[i] ^ ((unsigned)(back ? ~sign : sign) | 0x80000000u);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    if (n == 0)
        return;
    unsigned *flipped;
    cudaMalloc(&flipped, n * sizeof *flipped);
    flip<<<blocks(n), BLOCK>>>((const unsigned *)in, flipped, n, false);
    radix_sort_digits(flipped, (unsigned *)out, n, 7);
    flip<<<blocks(n), BLOCK>>>((const unsigned *)out, (unsigned *)out, n, true);
    cudaFree(flipped);
}
