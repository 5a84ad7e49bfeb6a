/* Harris, "Optimizing Parallel Reduction in CUDA": sequential addressing, the first addition at the load, loops unrolled by
 * a template's block size, and several elements a thread in a loop over the grid.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"

__global__ void reduce3(const elem_t *g_idata, elem_t *g_odata)
{
    extern __shared__ elem_t sdata[];
    const unsigned tid = threadIdx.x;
    sdata[tid]         = combine(g_idata[tid], g_idata[tid + blockDim.x]);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] = combine(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }
    if (tid == 0)
        *g_odata = sdata[0];
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    const unsigned threads = (unsigned)n / 2;
    reduce3<<<1, threads, threads * sizeof(elem_t)>>>(in, out);
}

template <unsigned blockSize> __device__ void reduce_block(elem_t *sdata)
{
    const unsigned tid = threadIdx.x;
#pragma unroll
    for (unsigned half = blockSize / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            sdata[tid] = combine(sdata[tid], sdata[tid + half]);
    }
}

template <unsigned blockSize> __global__ void reduce5(const elem_t *g_idata, elem_t *g_odata)
{
    __shared__ elem_t sdata[blockSize];
    const unsigned tid = threadIdx.x;
    sdata[tid]         = combine(g_idata[tid], g_idata[tid + blockSize]);
    reduce_block<blockSize>(sdata);
    if (tid == 0)
        g_odata[0] = sdata[0];
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    switch (n / 2) {
    case 512: reduce5<512><<<1, 512>>>(in, out); break;
    case 256: reduce5<256><<<1, 256>>>(in, out); break;
    case 128: reduce5<128><<<1, 128>>>(in, out); break;
    case 64: reduce5<64><<<1, 64>>>(in, out); break;
    case 32: reduce5<32><<<1, 32>>>(in, out); break;
    case 16: reduce5<16><<<1, 16>>>(in, out); break;
    case 8: reduce5<8><<<1, 8>>>(in, out); break;
    case 4: reduce5<4><<<1, 4>>>(in, out); break;
    case 2: reduce5<2><<<1, 2>>>(in, out); break;
    case 1: reduce5<1><<<1, 1>>>(in, out); break;
    }
}

template <unsigned blockSize> __global__ void reduce6(const elem_t *g_idata, elem_t *g_odata, size_t n)
{
    __shared__ elem_t sdata[blockSize];
    const size_t gridSize = (size_t)blockSize * gridDim.x;
    elem_t mine           = IDENTITY;
    bool is_first         = true;
    for (size_t i = (size_t)blockIdx.x * blockSize + threadIdx.x; i < n; i += gridSize) {
        mine     = is_first ? g_idata[i] : combine(mine, g_idata[i]);
        is_first = false;
    }
    sdata[threadIdx.x] = mine;
    reduce_block<blockSize>(sdata);
    if (threadIdx.x == 0)
        g_odata[blockIdx.x] = sdata[0];
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    constexpr unsigned threads = 128;
    const size_t wanted        = (n + threads * 8 - 1) / (threads * 8);
    const unsigned blocks      = wanted < 64 ? (wanted > 0 ? (unsigned)wanted : 1) : 64;
    if (blocks == 1) {
        reduce6<threads><<<1, threads>>>(in, out, n);
        return;
    }
    elem_t *sums;
    cudaMalloc(&sums, blocks * sizeof(elem_t));
    reduce6<threads><<<blocks, threads>>>(in, sums, n);
    reduce6<threads><<<1, threads>>>(sums, out, blocks);
    cudaFree(sums);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void quotient(float *value, size_t n) { *value /= (float)n; }

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    quotient<<<1, 1>>>(out, n);
}
#endif
