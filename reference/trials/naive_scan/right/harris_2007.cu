/* Scan, then propagate (Harris, Sengupta and Owens, 2007): tiles of 1024 by blocks, the tiles' sums by the same function again,
 * and a uniform addition. Tiles by Hillis and Steele in one buffer, in the two rows of an array, and from the right: a prefix is
 * added up backwards. Conversions exchange neighbours by shuffles, and move four elements a thread.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include <cuda_runtime.h>
#include <cassert>
#include <cstddef>
#include "naive_scan.h"

__global__ void backwards_kernel(const elem_t *in, elem_t *out, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        elem_t sum = in[i];
        for (int j = i - 1; j >= 0; j--)
            sum = combine(in[j], sum);
        out[i] = sum;
    }
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    backwards_kernel<<<1, 1024>>>(in, out, (int)n);
}

__global__ void rows_kernel(const elem_t *in, elem_t *out, int n)
{
    __shared__ elem_t rows[2][TILE];
    const int t = threadIdx.x;
    int row     = 0;
    if (t < n)
        rows[row][t] = in[t];
    for (int d = 1; d < n; d <<= 1) {
        __syncthreads();
        if (t < n)
            rows[row ^ 1][t] = t < d ? rows[row][t] : combine(rows[row][t - d], rows[row][t]);
        row ^= 1;
    }
    if (t < n)
        out[t] = rows[row][t];
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    dim3 grid(1, 1, 1), block(TILE, 1, 1);
    rows_kernel<<<grid, block>>>(in, out, (int)n);
}

/* The scan of a block's values, in one buffer. */
template <int SIZE> __device__ elem_t block_scan(elem_t mine, int t, int n, elem_t *buffer)
{
    buffer[t] = mine;
    __syncthreads();
#pragma unroll
    for (int d = 1; d < SIZE; d *= 2) {
        if (d >= n)
            break;
        elem_t left;
        bool has = t >= d && t < n;
        if (has)
            left = buffer[t - d];
        __syncthreads();
        if (has)
            buffer[t] = mine = combine(left, mine);
        __syncthreads();
    }
    return mine;
}

__global__ void in_place_kernel(const elem_t *in, elem_t *out, int n)
{
    __shared__ elem_t buffer[TILE];
    const int t = threadIdx.x;
    elem_t mine = block_scan<TILE>(t < n ? in[t] : IDENTITY, t, n, buffer);
    if (t < n)
        out[t] = mine;
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    in_place_kernel<<<1, TILE>>>(in, out, (int)n);
}

constexpr int BLOCK = 1024;

__global__ __launch_bounds__(BLOCK) void scan_blocks_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ elem_t buffer[BLOCK];
    const size_t base = (size_t)blockIdx.x * BLOCK;
    const int t = threadIdx.x, own = (int)(n - base < BLOCK ? n - base : BLOCK);
    elem_t mine = block_scan<BLOCK>(t < own ? in[base + t] : IDENTITY, t, own, buffer);
    if (t < own)
        out[base + t] = mine;
    if (sums != nullptr && t == own - 1)
        sums[blockIdx.x] = mine;
}

__global__ void uniform_add_kernel(elem_t *data, const elem_t *sums, size_t n)
{
    __shared__ elem_t before;
    if (threadIdx.x == 0)
        before = sums[blockIdx.x];
    __syncthreads();
    const size_t i = (size_t)(blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = combine(before, data[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    const size_t blocks = (n + BLOCK - 1) / BLOCK;
    if (n == 0)
        return;
    if (blocks == 1) {
        scan_blocks_kernel<<<1, BLOCK>>>(in, out, nullptr, n);
        return;
    }
    elem_t *sums = nullptr;
    cudaError_t error = cudaMalloc((void **)&sums, sizeof(elem_t) * blocks);
    assert(error == cudaSuccess);
    (void)error;
    scan_blocks_kernel<<<(unsigned)blocks, BLOCK>>>(in, out, sums, n);
    scan_global(sums, sums, blocks);
    uniform_add_kernel<<<(unsigned)blocks - 1, BLOCK>>>(out, sums, n);
    cudaFree(sums);
}

template <typename T> __device__ T shift_up(T x)
{
    union {
        T value;
        int words[sizeof(T) / 4];
    } u;
    u.value = x;
    for (size_t k = 0; k < sizeof(T) / 4; k++)
        u.words[k] = __shfl_up_sync(~0u, u.words[k], 1);
    return u.value;
}

__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    elem_t mine    = i < n ? in[i] : IDENTITY;
    elem_t left    = shift_up(mine);
    if (i >= n)
        return;
    if ((threadIdx.x & 31) == 0)
        left = i == 0 ? IDENTITY : in[i - 1];
    out[i] = left;
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n)
        shift_kernel<<<(unsigned)((n - 1) / 512 + 1), 512>>>(in, out, n);
}

template <int ITEMS> __global__ void join_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    elem_t left[ITEMS], right[ITEMS];
    const size_t base = (size_t)blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (base + k * blockDim.x < n) {
            left[k]  = scanned[base + k * blockDim.x];
            right[k] = in[base + k * blockDim.x];
        }
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (base + k * blockDim.x < n)
            out[base + k * blockDim.x] = combine(left[k], right[k]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n)
        join_kernel<4><<<(unsigned)((n - 1) / 1024 + 1), 256>>>(scanned, in, out, n);
}
