/* Few blocks that stay: 24 of them share the tiles out. A thread takes 16 neighbours, through dynamic shared memory of
 * more than 48 KiB, in two levels: each block sums its stretch up, and scans it from the sum before it. The single pass
 * has as few blocks, which draw tile after tile.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"

enum {
    BLOCKS  = 24,
    THREADS = 256,
    EACH    = 16,                           /* neighbours a thread */
    CHUNK   = THREADS * EACH,               /* elements that a block loads at once */
    ROOM    = CHUNK + CHUNK / 16 + THREADS, /* padded, and the threads' sums; with 1024 for pads it is over 48 KiB */
    BYTES   = (ROOM + 12288 / (int)sizeof(elem_t) + 6144) * (int)sizeof(elem_t)
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

__device__ unsigned padded(unsigned i)
{
    return i + i / 16;
}

/* Scans a chunk in shared memory, from `before` on where there is something; in: what the threads read, each `count` or
 * fewer. `each` neighbours a thread. Returns the sum of the chunk, with the sum before it. */
__device__ elem_t scan_chunk(elem_t *chunk, elem_t *sums, unsigned count, unsigned each, bool some, elem_t before)
{
    unsigned t = threadIdx.x, begin = min(t * each, count), end = min(begin + each, count);
    __syncthreads(); /* the chunk is loaded */
    elem_t sum = IDENTITY;
    for (unsigned i = begin; i < end; i++)
        sum = i > begin ? combine(sum, chunk[padded(i)]) : chunk[padded(i)];
    sums[t] = sum;
    unsigned used = (count + each - 1) / each; /* threads with an element */
    for (unsigned stride = 1; stride < used; stride *= 2) {
        elem_t left = IDENTITY;
        bool adds   = t >= stride && t < used;
        __syncthreads();
        if (adds)
            left = sums[t - stride];
        __syncthreads();
        if (adds)
            sums[t] = combine(left, sums[t]);
    }
    __syncthreads();
    elem_t front = before;
    bool any     = some;
    if (t > 0 && t < used) {
        front = some ? combine(before, sums[t - 1]) : sums[t - 1];
        any   = true;
    }
    for (unsigned i = begin; i < end; i++) {
        front             = any ? combine(front, chunk[padded(i)]) : chunk[padded(i)];
        any               = true;
        chunk[padded(i)] = front;
    }
    elem_t all = sums[used - 1];
    __syncthreads(); /* the chunk is scanned */
    return some ? combine(before, all) : all;
}

extern __shared__ unsigned char shared[];

/* Each block: chunks b, b + gridDim.x, ... of `width` elements, each by itself. */
__global__ void chunks_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n, unsigned width)
{
    elem_t *chunk = (elem_t *)shared, *of_threads = chunk + CHUNK + CHUNK / 16;
    for (size_t first = (size_t)blockIdx.x * width; first < n; first += (size_t)gridDim.x * width) {
        unsigned count = n - first < width ? (unsigned)(n - first) : width;
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
            chunk[padded(i)] = in[first + i];
        elem_t sum = scan_chunk(chunk, of_threads, count, width / blockDim.x, false, IDENTITY);
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
            out[first + i] = chunk[padded(i)];
        if (threadIdx.x == 0)
            sums[first / width] = sum;
        __syncthreads();
    }
}

template <class Kernel> static void allow_shared(Kernel kernel)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    size_t tiles = (n + TILE - 1) / TILE;
    if (n == 0)
        return;
    allow_shared(chunks_kernel);
    chunks_kernel<<<(unsigned)smaller(tiles, BLOCKS), TILE / EACH, BYTES>>>(in, out, sums, n, TILE);
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = i < TILE ? in[i] : combine(sums[i / TILE - 1], in[i]);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        add_kernel<<<(unsigned)smaller((n + THREADS - 1) / THREADS, BLOCKS), THREADS>>>(sums, in, out, n);
}

/* The stretch of a block: whole chunks, so that no two blocks share one. */
__device__ size_t stretch_begin(size_t n, unsigned block)
{
    size_t chunks = (n + CHUNK - 1) / CHUNK;
    return chunks * block / gridDim.x * CHUNK;
}

/* sums[b] is the sum of block b's stretch. */
__global__ void reduce_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    elem_t *chunk = (elem_t *)shared, *of_threads = chunk + CHUNK + CHUNK / 16;
    size_t begin = stretch_begin(n, blockIdx.x), end = stretch_begin(n, blockIdx.x + 1);
    elem_t all = IDENTITY;
    for (size_t first = begin; first < end && first < n; first += CHUNK) {
        unsigned count = n - first < CHUNK ? (unsigned)(n - first) : (unsigned)CHUNK, t = threadIdx.x;
        for (unsigned i = t; i < count; i += THREADS)
            chunk[padded(i)] = in[first + i];
        __syncthreads();
        unsigned from = min(t * EACH, count), to = min(from + EACH, count);
        elem_t sum = from < to ? chunk[padded(from)] : elem_t(IDENTITY);
        for (unsigned i = from + 1; i < to; i++)
            sum = combine(sum, chunk[padded(i)]);
        of_threads[t] = sum;
        for (unsigned stride = 1; stride < THREADS; stride *= 2) { /* in order: left and right neighbours */
            __syncthreads();
            if (t % (2 * stride) == 0 && (t + stride) * EACH < count)
                of_threads[t] = combine(of_threads[t], of_threads[t + stride]);
        }
        __syncthreads();
        all = first > begin ? combine(all, of_threads[0]) : of_threads[0];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

/* From the sum before the block's stretch: at most BLOCKS - 1 sums, which every thread adds up for itself. */
__global__ void scan_kernel(const elem_t *in, elem_t *out, const elem_t *sums, size_t n, bool exclusive)
{
    elem_t *chunk = (elem_t *)shared, *of_threads = chunk + CHUNK + CHUNK / 16;
    __shared__ elem_t before_block;
    size_t begin = stretch_begin(n, blockIdx.x), end = stretch_begin(n, blockIdx.x + 1);
    bool some = begin > 0;
    if (threadIdx.x == 0) {
        elem_t sum = IDENTITY;
        for (unsigned b = 0; b < blockIdx.x; b++)
            sum = b > 0 ? combine(sum, sums[b]) : sums[b];
        before_block = sum;
    }
    __syncthreads();
    elem_t before = before_block;
    for (size_t first = begin; first < end && first < n; first += CHUNK) {
        unsigned count = n - first < CHUNK ? (unsigned)(n - first) : (unsigned)CHUNK;
        for (unsigned i = threadIdx.x; i < count; i += THREADS)
            chunk[padded(i)] = in[first + i];
        elem_t all = scan_chunk(chunk, of_threads, count, EACH, some, before);
        for (unsigned i = threadIdx.x; i < count; i += THREADS)
            out[first + i] = !exclusive ? chunk[padded(i)] : i > 0 ? chunk[padded(i - 1)] : before;
        before = all;
        some   = true;
        __syncthreads();
    }
}

static void scan(const elem_t *in, elem_t *out, size_t n, bool exclusive)
{
    unsigned blocks = (unsigned)smaller((n + CHUNK - 1) / CHUNK, BLOCKS);
    elem_t *sums;
    if (n == 0)
        return;
    cudaMalloc(&sums, blocks * sizeof(elem_t));
    allow_shared(reduce_kernel);
    allow_shared(scan_kernel);
    if (blocks > 1)
        reduce_kernel<<<blocks, THREADS, BYTES>>>(in, sums, n);
    scan_kernel<<<blocks, THREADS, BYTES>>>(in, out, sums, n, exclusive);
    cudaFree(sums);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, false);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, true);
}

enum : unsigned { NOTHING, SUM, PREFIX };

/* Blocks draw chunks until there are none: when a block draws one, the ones before are being done or finished. */
__global__ void single_pass_kernel(const elem_t *in, elem_t *out, size_t n, unsigned *ticket, volatile unsigned *status,
                                   elem_t *sums, elem_t *prefixes)
{
    elem_t *chunk = (elem_t *)shared, *of_threads = chunk + CHUNK + CHUNK / 16;
    __shared__ unsigned drawn;
    __shared__ elem_t before;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            drawn = atomicAdd(ticket, 1);
        __syncthreads();
        size_t first = (size_t)drawn * CHUNK;
        unsigned b   = drawn;
        if (first >= n)
            return;
        unsigned count = n - first < CHUNK ? (unsigned)(n - first) : (unsigned)CHUNK;
        for (unsigned i = threadIdx.x; i < count; i += THREADS)
            chunk[padded(i)] = in[first + i];
        elem_t sum = scan_chunk(chunk, of_threads, count, EACH, false, IDENTITY);
        if (threadIdx.x == 0) {
            if (b > 0) {
                sums[b] = sum;
                __threadfence();
                status[b]     = SUM;
                unsigned seen = NOTHING, from = b;
                while (seen != PREFIX) {
                    from--;
                    while ((seen = status[from]) == NOTHING)
                        __nanosleep(40);
                    __threadfence();
                    elem_t found = seen == PREFIX ? prefixes[from] : sums[from];
                    before       = from + 1 < b ? combine(found, before) : found;
                }
                sum = combine(before, sum);
            }
            prefixes[b] = sum;
            __threadfence();
            status[b] = PREFIX;
        }
        __syncthreads();
        for (unsigned i = threadIdx.x; i < count; i += THREADS)
            out[first + i] = b > 0 ? combine(before, chunk[padded(i)]) : chunk[padded(i)];
    }
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    size_t chunks = (n + CHUNK - 1) / CHUNK;
    unsigned *flags;
    elem_t *values;
    if (n == 0)
        return;
    cudaMalloc(&flags, (chunks + 1) * sizeof *flags);
    cudaMalloc(&values, 2 * chunks * sizeof *values);
    cudaMemset(flags, 0, (chunks + 1) * sizeof *flags);
    allow_shared(single_pass_kernel);
    single_pass_kernel<<<(unsigned)smaller(chunks, BLOCKS), THREADS, BYTES>>>(in, out, n, flags, flags + 1, values,
                                                                             values + chunks);
    cudaFree(flags);
    cudaFree(values);
}
