/* reduction.cu: a reduction at the speed of reading: one launch, and several 16-byte loads on their way in each thread.
 *
 * Bytes: each element is read once, 4 bytes for an int. The limit is the rate of reading.
 *
 * A persistent grid goes over the input with a stride of the whole grid. Each block writes its sum, and the last one
 * that comes adds these up, in the order of the blocks: floats have the same sum in every run. */
#include "reduction.h"
#include <cuda_runtime.h>
#include <string.h>

enum {
    WARP = 32,
    THREADS = 512,
    WARPS = THREADS / WARP,
    BLOCKS_EACH = 4, /* of a multiprocessor */
    BLOCKS_MOST = 1024,
    LOADS = 4, /* vectors on their way in a thread */
    PER_VECTOR = 16 / sizeof(elem_t)
};

static const unsigned ALL = 0xFFFFFFFFu;

static __device__ elem_t sums[BLOCKS_MOST];
static __device__ unsigned arrived;

static __device__ __forceinline__ elem_t reduce_warp(elem_t sum)
{
#pragma unroll
    for (unsigned by = WARP / 2; by > 0; by /= 2) {
        unsigned words[sizeof(elem_t) / 4];
        elem_t other;
        memcpy(words, &sum, sizeof sum);
        for (unsigned &word : words)
            word = __shfl_down_sync(ALL, word, by);
        memcpy(&other, words, sizeof other);
        sum = combine(sum, other);
    }
    return sum;
}

/* The block's sum, in thread 0. */
static __device__ __forceinline__ elem_t reduce_block(elem_t sum)
{
    __shared__ elem_t of_warps[WARPS];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    sum = reduce_warp(sum);
    if (blockDim.x == WARP)
        return sum;
    __syncthreads(); /* of_warps is free again */
    if (lane == 0)
        of_warps[warp] = sum;
    __syncthreads();
    if (warp == 0)
        sum = reduce_warp(lane < blockDim.x / WARP ? of_warps[lane] : IDENTITY);
    return sum;
}

/* [in, in + head) and the tail behind the vectors are single elements. */
__global__ void __launch_bounds__(THREADS)
    reduce_kernel(const elem_t *in, elem_t *out, size_t n, size_t head, size_t vectors)
{
    __shared__ bool is_last;
    const size_t begin = (size_t)blockIdx.x * blockDim.x + threadIdx.x,
                 stride = (size_t)gridDim.x * blockDim.x;
    const uint4 *vector = (const uint4 *)(in + head);
    elem_t sum[LOADS];
    for (elem_t &one : sum)
        one = IDENTITY;
    size_t i = begin;
    for (; i + (LOADS - 1) * stride < vectors; i += LOADS * stride) {
        uint4 loaded[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            loaded[k] = vector[i + k * stride];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            elem_t item[PER_VECTOR];
            memcpy(item, &loaded[k], sizeof item);
            for (const elem_t &one : item)
                sum[k] = combine(sum[k], one);
        }
    }
    for (; i < vectors; i += stride) {
        elem_t item[PER_VECTOR];
        const uint4 loaded = vector[i];
        memcpy(item, &loaded, sizeof item);
        for (const elem_t &one : item)
            sum[0] = combine(sum[0], one);
    }
    if (begin < head)
        sum[0] = combine(sum[0], in[begin]);
    for (size_t k = head + vectors * PER_VECTOR + begin; k < n; k += stride)
        sum[0] = combine(sum[0], in[k]);
    for (unsigned k = 1; k < LOADS; k++)
        sum[0] = combine(sum[0], sum[k]);

    const elem_t all = reduce_block(sum[0]);
    if (gridDim.x == 1) {
        if (threadIdx.x == 0)
            *out = all;
        return;
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = all;
        __threadfence();
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1; /* it wraps to 0 for the next call */
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        elem_t mine = IDENTITY;
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            mine = combine(mine, sums[b]);
        mine = reduce_block(mine);
        if (threadIdx.x == 0)
            *out = mine;
    }
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    static int processors;
    if (processors == 0)
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    size_t head = (16 - (size_t)in % 16) % 16 / sizeof(elem_t);
    head = head < n ? head : n;
    const size_t vectors = (n - head) / PER_VECTOR;
    const size_t wanted = (size_t)processors * BLOCKS_EACH,
                 most = wanted < BLOCKS_MOST ? wanted : (size_t)BLOCKS_MOST;
    const size_t loads = (vectors + LOADS - 1) / LOADS; /* turns of a thread, when each makes one */
    size_t blocks = (loads + 2 * THREADS - 1) / (2 * THREADS);
    blocks = blocks < 1 ? 1 : blocks < most ? blocks : most;
    size_t threads = blocks > 1 ? (size_t)THREADS : (loads + WARP - 1) / WARP * WARP;
    threads = threads < WARP ? (size_t)WARP : threads < THREADS ? threads : (size_t)THREADS;
    reduce_kernel<<<(unsigned)blocks, (unsigned)threads>>>(in, out, n, head, vectors);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *out, size_t n)
{
    *out /= (float)n;
}

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    divide_kernel<<<1, 1>>>(out, n);
}
#endif
