/* Warps reduce by shuffles, registers to registers. Only the lanes below the stride add, so that a tile costs no
 * more additions than a tree has.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"

#define FULL 0xFFFFFFFFu
constexpr unsigned WARP = 32, THREADS = 256, WARPS = THREADS / WARP, MOST_BLOCKS = 1024;

/* The first `count` lanes, a power of two: lane 0 gets their reduction. All 32 lanes call it. */
__device__ elem_t reduce_warp(elem_t value, unsigned count)
{
    unsigned lane = threadIdx.x % WARP;
    for (unsigned stride = count / 2; stride > 0; stride /= 2) {
        elem_t other = __shfl_down_sync(FULL, value, stride);
        if (lane < stride)
            value = combine(value, other);
    }
    return value;
}

/* One thread an element, in whole warps. */
__global__ void one_each_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t totals[TILE / WARP];
    unsigned t = threadIdx.x, warps = n / WARP;

    elem_t value = IDENTITY;
    if (t < n)
        value = in[t];
    value = reduce_warp(value, n < WARP ? n : WARP);
    if (n > WARP) {
        if (t % WARP == 0)
            totals[t / WARP] = value;
        __syncthreads();
        if (t < WARP) {
            if (t < warps)
                value = totals[t];
            value = reduce_warp(value, warps);
        }
    }
    if (t == 0)
        *out = value;
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    one_each_kernel<<<1, (unsigned)(n < WARP ? WARP : n)>>>(in, out, (unsigned)n);
}

/* One warp: a row of elements for each lane, then one reduction of the lanes. */
__global__ void one_warp_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned lane = threadIdx.x;
    elem_t value  = IDENTITY;
    if (lane < n)
        value = in[lane];
    for (unsigned i = lane + WARP; i < n; i += WARP)
        value = combine(value, in[i]);
    value = reduce_warp(value, n < WARP ? n : WARP);
    if (lane == 0)
        *out = value;
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n) { one_warp_kernel<<<1, WARP>>>(in, out, (unsigned)n); }

/* A grid of bounded size strides over the input; block b leaves one sum. */
__global__ void stride_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    __shared__ elem_t totals[WARPS];
    unsigned t   = threadIdx.x;
    elem_t value = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * THREADS + t; i < n; i += (size_t)gridDim.x * THREADS)
        value = combine(value, in[i]);
    value = reduce_warp(value, WARP);
    if (t % WARP == 0)
        totals[t / WARP] = value;
    __syncthreads();
    if (t < WARP) {
        value = reduce_warp(t < WARPS ? totals[t] : IDENTITY, WARPS);
        if (t == 0)
            sums[blockIdx.x] = value;
    }
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    size_t blocks = (n + 8 * THREADS - 1) / (8 * THREADS);
    if (blocks <= 1) {
        stride_kernel<<<1, THREADS>>>(in, out, n);
        return;
    }
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    elem_t *sums;
    cudaMalloc(&sums, blocks * sizeof(elem_t));
    stride_kernel<<<(unsigned)blocks, THREADS>>>(in, sums, n);
    stride_kernel<<<1, THREADS>>>(sums, out, blocks);
    cudaFree(sums);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void scale_kernel(float *value, float n) { *value = *value / n; }

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    scale_kernel<<<1, 1>>>(out, (float)n);
}
#endif
