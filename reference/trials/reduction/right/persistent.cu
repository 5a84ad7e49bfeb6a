/* As many blocks as the device can hold, each striding over the input; the block that finishes last adds up what the
 * others left, told by an acquire-release counter. Loads are 16 bytes wide between an odd head and an odd tail.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"
#include <cuda/atomic>

constexpr unsigned THREADS = 256, MOST_BLOCKS = 256, WIDE = 16 / sizeof(elem_t);

struct __attribute__((aligned(16))) wide {
    elem_t of[WIDE];
};

/* The block's sum, in all threads. */
__device__ elem_t reduce_block(elem_t mine, elem_t *shared)
{
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + stride]);
        __syncthreads();
    }
    return shared[0];
}

/* n/2 threads. */
__global__ void tile_kernel(const elem_t *__restrict__ in, elem_t *__restrict__ out)
{
    __shared__ elem_t shared[TILE / 2];
    elem_t sum = reduce_block(combine(in[threadIdx.x], in[threadIdx.x + blockDim.x]), shared);
    if (threadIdx.x == 0)
        *out = sum;
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n / 2>>>(in, out);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_tile(in, out, n);
}

__global__ void persistent_kernel(const elem_t *in, elem_t *out, elem_t *sums, unsigned *done, size_t n, float divisor)
{
    __shared__ elem_t shared[THREADS];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t, threads = (size_t)gridDim.x * THREADS;

    /* head: up to the first multiple of 16 bytes; then whole `wide`s; tail */
    size_t head = (16 - (size_t)in % 16) % 16 / sizeof(elem_t);
    head        = head < n ? head : n;
    size_t wides = (n - head) / WIDE;
    elem_t sum   = IDENTITY;
    if (i < head)
        sum = combine(sum, in[i]);
    const wide *body = (const wide *)(in + head);
    for (size_t w = i; w < wides; w += threads) {
        wide x = body[w];
        for (unsigned k = 0; k < WIDE; k++)
            sum = combine(sum, x.of[k]);
    }
    if (head + wides * WIDE + i < n)
        sum = combine(sum, in[head + wides * WIDE + i]);

    sum = reduce_block(sum, shared);
    if (t == 0) {
        sums[blockIdx.x] = sum;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*done);
        last = counter.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    sum = IDENTITY;
    for (unsigned b = t; b < gridDim.x; b += THREADS)
        sum = combine(sum, sums[b]);
    sum = reduce_block(sum, shared);
#if MONOID == MONOID_FLOAT_SUM
    sum /= divisor;
#else
    (void)divisor;
#endif
    if (t == 0)
        *out = sum;
}

static void run(const elem_t *in, elem_t *out, size_t n, float divisor)
{
    int device, processors;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    size_t blocks = n / (THREADS * WIDE) + 1;
    if (blocks > (size_t)processors * 2)
        blocks = (size_t)processors * 2;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    elem_t *sums;
    unsigned *done;
    cudaMalloc(&sums, blocks * sizeof *sums);
    cudaMalloc(&done, sizeof *done);
    cudaMemset(done, 0, sizeof *done);
    persistent_kernel<<<(unsigned)blocks, THREADS>>>(in, out, sums, done, n, divisor);
    cudaFree(done);
    cudaFree(sums);
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    run(in, out, n, 1);
}

#if MONOID == MONOID_FLOAT_SUM
void mean(const float *in, float *out, size_t n)
{
    run(in, out, n, (float)n);
}
#endif
