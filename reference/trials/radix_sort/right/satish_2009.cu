/* Satish, Harris and Garland (2009): a block sorts its tile by four bits in shared memory first, with a split for each bit, so that
 * keys of a digit lie side by side; then it writes each digit's run to its place. Counts by shared atomics, digit by digit
 * in one column-major table. Batcher's odd-even merge sort for a tile, and a binary search for each key to merge two.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int radix_sort_float */
#include "radix_sort.h"
#include <utility>

typedef unsigned int uint;

enum { CTA = 256 };

static uint ctas(size_t n) { return (uint)((n + CTA - 1) / CTA); }

/* ---- one tile ---- */

__global__ void odd_even_kernel(const uint *in, uint *out, uint n)
{
    __shared__ uint s[TILE];
    for (uint i = threadIdx.x; i < TILE; i += blockDim.x)
        s[i] = i < n ? in[i] : 0xffffffffu;
    for (uint size = 2; size <= TILE; size <<= 1) {
        uint stride       = size / 2;
        const uint offset = threadIdx.x & (stride - 1);
        __syncthreads();
        {
            const uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            const uint a = s[pos], b = s[pos + stride];
            s[pos]          = min(a, b);
            s[pos + stride] = max(a, b);
            stride >>= 1;
        }
        for (; stride > 0; stride >>= 1) {
            __syncthreads();
            const uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            if (offset >= stride) {
                const uint a = s[pos - stride], b = s[pos];
                s[pos - stride] = min(a, b);
                s[pos]          = max(a, b);
            }
        }
    }
    __syncthreads();
    for (uint i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = s[i];
}

void sort_tile(const uint *in, uint *out, size_t n) { odd_even_kernel<<<1, TILE / 2>>>(in, out, (uint)n); }

__device__ uint before(const uint *keys, uint n, uint key, bool equal_too)
{
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = (low + high) >> 1;
        if (keys[middle] < key || (equal_too && keys[middle] == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge_kernel(const uint *left, uint left_n, const uint *right, uint right_n, uint *out)
{
    __shared__ uint a[TILE], b[TILE], merged[2 * TILE];
    const uint t = threadIdx.x;
    uint mine_a = 0, mine_b = 0;
    if (t < left_n)
        a[t] = mine_a = left[t];
    if (t < right_n)
        b[t] = mine_b = right[t];
    __syncthreads();
    if (t < left_n)
        merged[t + before(b, right_n, mine_a, false)] = mine_a;
    if (t < right_n)
        merged[t + before(a, left_n, mine_b, true)] = mine_b;
    __syncthreads();
    if (t < left_n)
        out[t] = merged[t];
    if (t < right_n)
        out[left_n + t] = merged[left_n + t];
}

void merge_tiles(const uint *left, size_t left_n, const uint *right, size_t right_n, uint *out)
{
    merge_kernel<<<1, TILE>>>(left, (uint)left_n, right, (uint)right_n, out);
}

/* ---- any length ---- */

struct Bits {
    uint shift, mask;
    __device__ uint operator()(uint key) const { return key >> shift & mask; }
};

/* The block's keys in the order of their digits, by one split a bit. */
template <bool PAIRS>
__device__ void sort_block(uint &key, uint &value, Bits bits, uint own, uint *keys, uint *values)
{
    const uint t = threadIdx.x;
    for (uint bit = 1; bit <= bits.mask; bit <<= 1) {
        uint zeros;
        const bool one  = t >= own || (bits(key) & bit);
        const uint rank = stock_block_scan(!one, &zeros);
        const uint slot = one ? t - rank + zeros : rank;
        keys[slot] = key;
        if (PAIRS)
            values[slot] = value;
        __syncthreads();
        key = keys[t];
        if (PAIRS)
            value = values[t];
    }
}

__global__ void count_kernel(const uint *in, uint *counts, size_t n, Bits bits)
{
    extern __shared__ uint histogram[];
    for (uint d = threadIdx.x; d <= bits.mask; d += CTA)
        histogram[d] = 0;
    __syncthreads();
    const size_t i = (size_t)blockIdx.x * CTA + threadIdx.x;
    if (i < n)
        atomicAdd(&histogram[bits(in[i])], 1u);
    __syncthreads();
    for (uint d = threadIdx.x; d <= bits.mask; d += CTA)
        counts[(size_t)d * gridDim.x + blockIdx.x] = histogram[d];
}

template <bool PAIRS>
__global__ void move_kernel(const uint *in, const uint *in_values, uint *out, uint *out_values, const uint *begins, size_t n,
                            Bits bits)
{
    __shared__ uint keys[CTA], values[PAIRS ? CTA : 1];
    extern __shared__ uint first[];
    const uint t      = threadIdx.x;
    const size_t base = (size_t)blockIdx.x * CTA;
    const uint own    = (uint)(n - base < CTA ? n - base : CTA);
    uint key = 0, value = 0;
    if (t < own) {
        key = in[base + t];
        if (PAIRS)
            value = in_values[base + t];
    }
    sort_block<PAIRS>(key, value, bits, own, keys, values);
    __syncthreads();
    if (t < own)
        keys[t] = key;
    __syncthreads();
    if (t < own && (t == 0 || bits(keys[t - 1]) != bits(key)))
        first[bits(key)] = t;
    __syncthreads();
    if (t < own) {
        const uint d    = bits(key);
        const size_t to = (size_t)begins[(size_t)d * gridDim.x + blockIdx.x] + t - first[d];
        out[to]         = key;
        if (PAIRS)
            out_values[to] = value;
    }
}

static void pass(const uint *in, const uint *in_values, uint *out, uint *out_values, uint *counts, size_t n, Bits bits)
{
    const uint grid = ctas(n), bytes = (bits.mask + 1) * sizeof(uint);
    count_kernel<<<grid, CTA, bytes>>>(in, counts, n, bits);
    stock_scan_exclusive(counts, counts, (size_t)grid * (bits.mask + 1));
    if (in_values)
        move_kernel<true><<<grid, CTA, bytes>>>(in, in_values, out, out_values, counts, n, bits);
    else
        move_kernel<false><<<grid, CTA, bytes>>>(in, nullptr, out, nullptr, counts, n, bits);
}

void split(const uint *in, uint *out, size_t n, unsigned bit)
{
    uint *counts;
    if (n == 0)
        return;
    cudaMalloc(&counts, 2 * (size_t)ctas(n) * sizeof *counts);
    pass(in, nullptr, out, nullptr, counts, n, Bits{bit, 1});
    cudaFree(counts);
}

static void sort(const uint *in, const uint *in_values, uint *out, uint *out_values, size_t n, uint width)
{
    uint *scratch, *keys, *values, *counts;
    if (n == 0)
        return;
    const size_t table = (size_t)ctas(n) << width;
    cudaMalloc(&scratch, (2 * n + table) * sizeof *scratch);
    keys = scratch, values = scratch + n, counts = scratch + 2 * n;
    const uint passes = (KEY_BITS + width - 1) / width;
    const uint *from = in, *from_values = in_values;
    for (uint p = 0; p < passes; p++) {
        const bool last_is_out = (passes - p) % 2 == 1;
        uint *to = last_is_out ? out : keys, *to_values = last_is_out ? out_values : values;
        const uint shift = p * width, bits = KEY_BITS - shift < width ? KEY_BITS - shift : width;
        pass(from, from_values, to, to_values, counts, n, Bits{shift, (1u << bits) - 1});
        from = to, from_values = in_values ? to_values : nullptr;
    }
    cudaFree(scratch);
}

void radix_sort(const uint *in, uint *out, size_t n) { sort(in, nullptr, out, nullptr, n, 4); }

void radix_sort_pairs(const uint *keys, const uint *values, uint *keys_out, uint *values_out, size_t n)
{
    sort(keys, values, keys_out, values_out, n, 4);
}

void radix_sort_digits(const uint *in, uint *out, size_t n, unsigned bits) { sort(in, nullptr, out, nullptr, n, bits); }

template <bool FLOAT, bool BACK> __global__ void flip_kernel(const uint *in, uint *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * CTA + threadIdx.x;
    if (i >= n)
        return;
    const uint x = in[i], sign = 0x80000000u;
    if (!FLOAT)
        out[i] = x ^ sign;
    else if (!BACK)
        out[i] = x ^ (uint)((int)x >> 31 | (int)sign);
    else
        out[i] = x ^ (((x >> 31) - 1) | sign);
}

template <bool FLOAT> static void sort_flipped(const uint *in, uint *out, size_t n)
{
    uint *flipped;
    if (n == 0)
        return;
    cudaMalloc(&flipped, n * sizeof *flipped);
    flip_kernel<FLOAT, false><<<ctas(n), CTA>>>(in, flipped, n);
    radix_sort(flipped, out, n);
    flip_kernel<FLOAT, true><<<ctas(n), CTA>>>(out, out, n);
    cudaFree(flipped);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_flipped<false>(reinterpret_cast<const uint *>(in), reinterpret_cast<uint *>(out), n);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_flipped<true>((const uint *)in, (uint *)out, n);
}
