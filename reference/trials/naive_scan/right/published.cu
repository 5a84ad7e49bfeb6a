/* As papers and books print these kernels: offsets into one dynamic array (GPU Gems 3), a warp's scan by shuffles under a
 * block's (Sengupta and others), loops with the stride of the grid, pointers that walk along an array.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <utility>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static __host__ __device__ constexpr unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

__global__ void prefix_kernel(const elem_t *__restrict__ in, elem_t *__restrict__ out)
{
    const elem_t *p   = in;
    const elem_t *end = in + threadIdx.x;
    elem_t sum        = *p;
    while (p != end)
        sum = combine(sum, *++p);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    prefix_kernel<<<1, (unsigned)n>>>(in, out);
    CHECK(cudaGetLastError());
}

/* GPU Gems 3, chapter 39, listing 39-1, for an inclusive scan. */
__global__ void gems_kernel(elem_t *g_odata, const elem_t *g_idata, int n)
{
    extern __shared__ elem_t temp[];
    int thid = (int)threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout * n + thid] = g_idata[thid];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin  = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = combine(temp[pin * n + thid - offset], temp[pin * n + thid]);
        else
            temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    g_odata[thid] = temp[pout * n + thid];
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    gems_kernel<<<1, (unsigned)n, 2 * n * sizeof(elem_t)>>>(out, in, (int)n);
    CHECK(cudaGetLastError());
}

/* A helper for shuffles of any type, word by word. */
template <typename T> __device__ T shuffle_up(unsigned mask, T value, unsigned delta)
{
    constexpr unsigned WORDS = sizeof(T) / sizeof(unsigned);
    union {
        T whole;
        unsigned word[WORDS];
    } parts = {value};
#pragma unroll
    for (unsigned i = 0; i < WORDS; ++i)
        parts.word[i] = __shfl_up_sync(mask, parts.word[i], delta);
    return parts.whole;
}

template <typename T> __device__ T warp_inclusive_scan(T value, unsigned count)
{
    const unsigned lane = threadIdx.x & 31;
#pragma unroll
    for (unsigned delta = 1; delta < 32; delta <<= 1) {
        T other = shuffle_up(0xffffffffu, value, delta);
        if (lane >= delta && threadIdx.x < count)
            value = combine(other, value);
    }
    return value;
}

template <unsigned BLOCK> __global__ void __launch_bounds__(BLOCK) block_scan_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t warp_sum[BLOCK / 32];
    const unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5;
    elem_t value = IDENTITY;
    if (t < n)
        value = in[t];
    value = warp_inclusive_scan(value, n);
    if (lane == 31)
        warp_sum[warp] = value;
    __syncthreads();
    if (warp == 0) {
        elem_t sum = IDENTITY;
        if (lane < blockDim.x / 32)
            sum = warp_sum[lane];
        sum = warp_inclusive_scan(sum, ceil_div(n, 32));
        if (lane < blockDim.x / 32)
            warp_sum[lane] = sum;
    }
    __syncthreads();
    if (warp > 0 && t < n)
        value = combine(warp_sum[warp - 1], value);
    if (t < n)
        out[t] = value;
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    block_scan_kernel<TILE><<<1, ceil_div((unsigned)n, 32) * 32>>>(in, out, (unsigned)n);
    CHECK(cudaGetLastError());
}

/* One step of Hillis and Steele's, by a grid of any size. */
__global__ void step_kernel(const elem_t *from, elem_t *to, size_t n, size_t offset)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        to[i] = i < offset ? from[i] : combine(from[i - offset], from[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (!n)
        return;
    elem_t *ping = nullptr, *pong = nullptr;
    CHECK(cudaMalloc(&ping, n * sizeof *ping));
    CHECK(cudaMalloc(&pong, n * sizeof *pong));
    CHECK(cudaMemcpy(ping, in, n * sizeof *ping, cudaMemcpyDeviceToDevice));
    size_t wanted   = (n + 255) / 256;
    unsigned blocks = wanted < 1024 ? (unsigned)wanted : 1024;
    for (size_t offset = 1; offset < n; offset *= 2) {
        step_kernel<<<blocks, 256>>>(ping, pong, n, offset);
        std::swap(ping, pong);
    }
    CHECK(cudaMemcpy(out, ping, n * sizeof *out, cudaMemcpyDeviceToDevice));
    CHECK(cudaFree(ping));
    CHECK(cudaFree(pong));
}

struct Shift {
    const elem_t *in;
    __device__ elem_t operator()(size_t i) const { return i > 0 ? in[i - 1] : IDENTITY; }
};

struct Add {
    const elem_t *scanned, *in;
    __device__ elem_t operator()(size_t i) const { return combine(scanned[i], in[i]); }
};

template <typename F> __global__ void transform_kernel(elem_t *out, size_t n, F f)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = f(i);
}

template <typename F> static void transform(elem_t *out, size_t n, F f)
{
    if (n > 0)
        transform_kernel<<<(unsigned)((n + 255) / 256), 256>>>(out, n, f);
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    transform(out, n, Shift{in});
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    transform(out, n, Add{scanned, in});
}
