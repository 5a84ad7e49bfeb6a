/* The tiles are reduced first, their sums scanned, and each tile then scanned from the sum before it: out is
 * written once.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive */
#include "arbitrary_length_scan.h"

enum { K = 4, T = TILE / K };

/* Sum of at most TILE elements, one for each thread's section, reduced in order; thread 0 returns it. */
__device__ elem_t reduce_tile(const elem_t *in, unsigned count, elem_t *sums)
{
    unsigned t = threadIdx.x, begin = min(t * K, count), end = min(begin + K, count);
    elem_t sum = IDENTITY;
    for (unsigned i = begin; i < end; i++)
        sum = i == begin ? in[i] : combine(sum, in[i]);
    sums[t] = sum;
    for (unsigned stride = 1; stride < T; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0 && (t + stride) * K < count)
            sums[t] = combine(sums[t], sums[t + stride]);
    }
    return t == 0 ? sums[0] : elem_t(IDENTITY);
}

/* Scan of at most TILE elements after *before, which may be null; Brent and Kung over the sections' sums. */
__device__ void scan_from(const elem_t *before, const elem_t *in, elem_t *out, unsigned count, bool exclusive, elem_t *sums)
{
    unsigned t = threadIdx.x, begin = min(t * K, count), end = min(begin + K, count);
    elem_t item[K], sum = IDENTITY;
    for (unsigned i = begin; i < end; i++) {
        item[i - begin] = in[i];
        sum             = i == begin ? item[0] : combine(sum, item[i - begin]);
    }
    sums[t] = t == 0 && before ? combine(*before, sum) : sum;
    unsigned stride = 1;
    for (; stride < T; stride *= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < T)
            sums[right] = combine(sums[right - stride], sums[right]);
    }
    for (stride /= 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1 + stride;
        if (right < T)
            sums[right] = combine(sums[right - stride], sums[right]);
    }
    __syncthreads();
    bool any = t > 0 || before;
    sum      = t > 0 ? sums[t - 1] : before ? *before : elem_t(IDENTITY);
    for (unsigned i = begin; i < end; i++) {
        if (exclusive)
            out[i] = sum;
        if (!exclusive || i + 1 < end)
            sum = any ? combine(sum, item[i - begin]) : item[i - begin];
        any = true;
        if (!exclusive)
            out[i] = sum;
    }
}

__global__ void reduce_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    __shared__ elem_t shared[T];
    size_t first = blockIdx.x * (size_t)TILE;
    elem_t sum   = reduce_tile(in + first, (unsigned)min(n - first, (size_t)TILE), shared);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

__global__ void scan_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, elem_t *sums, size_t n, bool exclusive)
{
    __shared__ elem_t shared[T];
    size_t first   = blockIdx.x * (size_t)TILE;
    unsigned count = (unsigned)min(n - first, (size_t)TILE);
    scan_from(scanned && blockIdx.x > 0 ? &scanned[blockIdx.x - 1] : nullptr, in + first, out + first, count, exclusive, shared);
    if (sums && threadIdx.x == 0)
        sums[blockIdx.x] = shared[T - 1];
}

static size_t tiles_of(size_t n) { return n / TILE + (n % TILE != 0); }

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n)
        scan_kernel<<<(unsigned)tiles_of(n), T>>>(nullptr, in, out, sums, n, false);
}

/* A grid of any size strides over the elements. */
__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = i < TILE ? in[i] : combine(sums[i / TILE - 1], in[i]);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    add_kernel<<<12, 192>>>(sums, in, out, n);
}

static void scan(const elem_t *in, elem_t *out, size_t n, bool exclusive)
{
    unsigned tiles = (unsigned)tiles_of(n);
    elem_t *sums   = nullptr;
    if (tiles == 0)
        return;
    if (tiles > 1) {
        cudaMalloc(&sums, tiles * sizeof *sums);
        reduce_kernel<<<tiles, T>>>(in, sums, n);
        scan(sums, sums, tiles, false);
    }
    scan_kernel<<<tiles, T>>>(sums, in, out, nullptr, n, exclusive);
    if (tiles > 1)
        cudaFree(sums);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, false); }
void scan_exclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, true); }
