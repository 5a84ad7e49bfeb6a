/* One launch for any length: each block leaves its sum, and the block that finishes last adds the sums, always in
 * the same order. A tile is a loop of each thread's, and then the same.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"

constexpr unsigned THREADS = 192, MOST_BLOCKS = 1 << 20;

__device__ unsigned finished; /* blocks of the running launch; the last one leaves 0 */

/* The block's reduction; thread 0 has it. Any number of threads: the upper half hands over to the lower. */
__device__ elem_t reduce_block(elem_t mine, elem_t *shared)
{
    shared[threadIdx.x] = mine;
    for (unsigned count = blockDim.x; count > 1;) {
        unsigned half = (count + 1) / 2;
        __syncthreads();
        if (threadIdx.x + half < count)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
        count = half;
    }
    return threadIdx.x == 0 ? shared[0] : elem_t(IDENTITY);
}

/* n a power of two, and the threads too: as many additions as a tree. */
__global__ void tile_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t shared[32];
    elem_t mine = in[threadIdx.x];
    for (unsigned i = threadIdx.x + blockDim.x; i < n; i += blockDim.x)
        mine = combine(mine, in[i]);
    mine = reduce_block(mine, shared);
    if (threadIdx.x == 0)
        *out = mine;
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n) { tile_kernel<<<1, n < 32 ? (unsigned)n : 32>>>(in, out, (unsigned)n); }
void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n) { reduce_tile(in, out, n); }

__global__ void reduce_kernel(const elem_t *in, elem_t *out, volatile unsigned *scratch, size_t n)
{
    enum { WORDS = sizeof(elem_t) / sizeof(unsigned) };
    union word_view {
        elem_t value;
        unsigned word[WORDS];
        __device__ word_view() {}
    };
    __shared__ elem_t shared[THREADS];
    __shared__ bool last;
    unsigned t  = threadIdx.x;
    elem_t mine = IDENTITY;
    for (size_t i = (size_t)blockIdx.x * THREADS + t; i < n; i += (size_t)gridDim.x * THREADS)
        mine = combine(mine, in[i]);
    elem_t sum = reduce_block(mine, shared);
    if (t == 0) {
        word_view view;
        view.value = sum;
        for (unsigned w = 0; w < WORDS; w++)
            scratch[blockIdx.x * WORDS + w] = view.word[w];
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    mine = IDENTITY;
    for (unsigned b = t; b < gridDim.x; b += THREADS) {
        word_view view;
        for (unsigned w = 0; w < WORDS; w++)
            view.word[w] = scratch[b * WORDS + w];
        mine = combine(mine, view.value);
    }
    sum = reduce_block(mine, shared);
    if (t == 0)
        *out = sum;
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    size_t blocks = (n + 4 * THREADS - 1) / (4 * THREADS);
    blocks        = blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks;
    unsigned *scratch;
    cudaMalloc(&scratch, blocks * sizeof(elem_t));
    reduce_kernel<<<(unsigned)blocks, THREADS>>>(in, out, scratch, n);
    cudaFree(scratch);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *value, float n) { *value = __fdiv_rn(*value, n); }

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    divide_kernel<<<1, 1>>>(out, (float)n);
}
#endif
