/* 32 elements a thread, everywhere: few threads in a tile, and two levels of one kernel for any length. Nothing depends
 * on TILE.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"

constexpr unsigned ITEMS = 32, THREADS = 128;

/* The block's sum, in thread 0; any number of threads. */
__device__ elem_t reduce_block(elem_t mine)
{
    __shared__ elem_t sums[THREADS];
    unsigned t = threadIdx.x;
    sums[t]    = mine;
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        __syncthreads();
        if (t + half < count)
            sums[t] = combine(sums[t], sums[t + half]);
        count = half;
    }
    return sums[t];
}

/* Thread t adds up in[t], in[t + blockDim.x], ...: n is a multiple of the number of threads. */
__global__ void tile_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    elem_t sum = in[threadIdx.x];
#pragma unroll 4
    for (unsigned i = threadIdx.x + blockDim.x; i < n; i += blockDim.x)
        sum = combine(sum, in[i]);
    sum = reduce_block(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, n < ITEMS ? 1 : (unsigned)n / ITEMS>>>(in, out, (unsigned)n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_tile(in, out, n);
}

__global__ void chunks_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    size_t first = (size_t)blockIdx.x * THREADS * ITEMS + threadIdx.x;
    elem_t sum   = IDENTITY;
    for (unsigned k = 0; k < ITEMS && first + k * THREADS < n; k++)
        sum = combine(sum, in[first + k * THREADS]);
    sum = reduce_block(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* A scratch array to and fro: the sums of a level are stored after those of the level before. */
void reduce(const elem_t *in, elem_t *out, size_t n)
{
    const size_t chunk = (size_t)THREADS * ITEMS;
    size_t chunks      = n / chunk + 1;
    elem_t *sums;
    cudaMalloc(&sums, 2 * (chunks + 1) * sizeof *sums);
    elem_t *to = sums;
    while (chunks > 1) {
        chunks_kernel<<<(unsigned)chunks, THREADS>>>(in, to, n);
        in     = to;
        to     = to + chunks;
        n      = chunks;
        chunks = n > chunk ? (n - 1) / chunk + 1 : 1;
    }
    chunks_kernel<<<1, THREADS>>>(in, out, n);
    cudaFree(sums);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *value, double n)
{
    *value = (float)(*value / n);
}

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    divide_kernel<<<1, 1>>>(out, (double)n);
}
#endif
