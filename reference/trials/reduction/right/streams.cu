/* Halves on two streams, joined by events. A tile: all threads load, those that are not needed leave before the
 * barriers, and a warp finishes by shuffles. Shared memory is dynamic.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"

constexpr unsigned FULL = 0xffffffffu, THREADS = 64, ROW = 8;

__device__ elem_t from_lane_below(elem_t mine, unsigned delta)
{
    enum { WORDS = sizeof(elem_t) / 4 };
    union {
        elem_t value;
        unsigned word[WORDS];
    } is = {mine};
    for (unsigned w = 0; w < WORDS; w++)
        is.word[w] = __shfl_down_sync(FULL, is.word[w], delta);
    return is.value;
}

/* The first half of `count` threads, or a warp, adds up shared[0..count), a power of two. The result is thread 0's. */
__device__ elem_t reduce_shared(unsigned count, elem_t *shared)
{
    unsigned t = threadIdx.x;
    for (; count > 32; count /= 2) {
        __syncthreads();
        if (t < count / 2)
            shared[t] = combine(shared[t], shared[t + count / 2]);
    }
    elem_t mine = shared[t];
    for (unsigned stride = count / 2; stride > 0 && t < 32; stride /= 2) {
        elem_t right = from_lane_below(mine, stride);
        if (t < stride)
            mine = combine(mine, right);
    }
    return mine;
}

__global__ void tile_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    extern __shared__ elem_t shared[];
    unsigned t = threadIdx.x;
    shared[t]  = t < n ? in[t] : IDENTITY;
    if (t >= 32 && t >= n / 2)
        return; /* a barrier waits for those only that are still there */
    elem_t sum = reduce_shared(n, shared);
    if (t == 0)
        *out = sum;
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    unsigned threads = n < 32 ? 32 : (unsigned)n;
    tile_kernel<<<1, threads, threads * sizeof(elem_t)>>>(in, out, (unsigned)n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_tile(in, out, n);
}

__global__ void rows_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    extern __shared__ elem_t shared[];
    size_t first = (size_t)blockIdx.x * THREADS * ROW + threadIdx.x;
    elem_t sum   = IDENTITY;
    for (size_t i = first; i < first + THREADS * ROW && i < n; i += THREADS)
        sum = combine(sum, in[i]);
    shared[threadIdx.x] = sum;
    if (threadIdx.x >= THREADS / 2)
        return;
    sum = reduce_shared(THREADS, shared);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* On the stream, into *out; scratch holds n / 256 + 64 elements. */
static void reduce_on(cudaStream_t stream, const elem_t *in, elem_t *out, size_t n, elem_t *scratch)
{
    for (;;) {
        size_t blocks = n == 0 ? 1 : (n - 1) / (THREADS * ROW) + 1;
        elem_t *to    = blocks == 1 ? out : scratch;
        rows_kernel<<<(unsigned)blocks, THREADS, THREADS * sizeof(elem_t), stream>>>(in, to, n);
        if (blocks == 1)
            return;
        scratch += blocks;
        in = to;
        n  = blocks;
    }
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    if (n < 4096) {
        elem_t *scratch;
        cudaMalloc(&scratch, (n / 256 + 64) * sizeof *scratch);
        reduce_on(0, in, out, n, scratch);
        cudaFree(scratch);
        return;
    }
    size_t half = n / 2, room = n / 512 + 128;
    elem_t *memory;
    cudaMalloc(&memory, 2 * (room + 1) * sizeof *memory);
    cudaStream_t streams[2];
    cudaEvent_t begun, done[2];
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventRecord(begun, 0);
    for (int s = 0; s < 2; s++) {
        cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming);
        cudaStreamWaitEvent(streams[s], begun, 0); /* what the caller has launched so far */
        reduce_on(streams[s], in + s * half, memory + s, s == 0 ? half : n - half, memory + 2 + s * room);
        cudaEventRecord(done[s], streams[s]);
        cudaStreamWaitEvent(0, done[s], 0);
    }
    reduce_on(0, memory, out, 2, nullptr);
    for (int s = 0; s < 2; s++) {
        cudaStreamDestroy(streams[s]);
        cudaEventDestroy(done[s]);
    }
    cudaEventDestroy(begun);
    cudaFree(memory);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void scale_kernel(float *value, size_t n)
{
    *value = *value / (float)n;
}

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    scale_kernel<<<1, 1>>>(out, n);
}
#endif
