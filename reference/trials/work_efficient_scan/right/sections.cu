/* No tree at all: 32 threads reduce a section each, the sums are scanned, and each thread scans its section
 * again from the sum before it. The work is that of the tree; the global part does the same with blocks.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

enum { THREADS = 32 };

/* Thread t's section of n elements. */
struct section {
    size_t begin, end;
    __device__ section(size_t n, size_t t, size_t threads)
    {
        size_t each = (n + threads - 1) / threads;
        begin       = t * each < n ? t * each : n;
        end         = begin + each < n ? begin + each : n;
    }
};

__device__ elem_t reduce_section(const elem_t *in, section mine)
{
    if (mine.begin == mine.end)
        return IDENTITY;
    elem_t sum = in[mine.begin];
    for (size_t i = mine.begin + 1; i < mine.end; i++)
        sum = combine(sum, in[i]);
    return sum;
}

/* Exclusive scan of one warp's 32 sums in shared memory: n/2 lanes, as Blelloch, with __syncwarp. */
__device__ elem_t before_me(elem_t *sums, elem_t mine, unsigned count)
{
    unsigned t = threadIdx.x;
    sums[t]    = mine;
    __syncwarp();
    for (unsigned stride = 1; stride < count; stride *= 2) {
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < count)
            sums[right] = combine(sums[right - stride], sums[right]);
        __syncwarp();
    }
    if (t == 0)
        sums[count - 1] = IDENTITY;
    __syncwarp();
    for (unsigned stride = count / 2; stride > 0; stride /= 2) {
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < count) {
            elem_t left          = sums[right - stride];
            sums[right - stride] = sums[right];
            sums[right]          = combine(sums[right], left);
        }
        __syncwarp();
    }
    return sums[t];
}

/* n a power of two. */
__global__ void exclusive_kernel(const elem_t *in, elem_t *out, size_t n)
{
    __shared__ elem_t sums[THREADS];
    section mine(n, threadIdx.x, THREADS);
    elem_t own    = reduce_section(in, mine);
    elem_t before = before_me(sums, own, n < THREADS ? (unsigned)n : (unsigned)THREADS);
    for (size_t i = mine.begin; i < mine.end; i++) {
        elem_t value = in[i];
        out[i]       = before;
        if (i + 1 < mine.end)
            before = combine(before, value);
    }
}

enum { SECTIONS = 16 };

/* A few threads' loops: the first section needs no second one, and the last one's sum nobody needs. */
__global__ void inclusive_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t ends[SECTIONS];
    unsigned t = threadIdx.x, each = n / blockDim.x, begin = t * each;
    elem_t sum = in[begin];
    if (t == 0)
        out[0] = sum;
    for (unsigned i = begin + 1; i < begin + each && (t == 0 || t + 1 < blockDim.x); i++) {
        sum = combine(sum, in[i]);
        if (t == 0)
            out[i] = sum;
    }
    ends[t] = sum;
    __syncthreads();
    if (t == 0)
        for (unsigned i = 1; i + 1 < blockDim.x; i++)
            ends[i] = combine(ends[i - 1], ends[i]);
    __syncthreads();
    if (t == 0)
        return;
    sum = ends[t - 1];
    for (unsigned i = begin; i < begin + each; i++)
        if (t + 1 < blockDim.x && i + 1 == begin + each)
            out[i] = ends[t];
        else
            out[i] = sum = combine(sum, in[i]);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n) { exclusive_kernel<<<1, THREADS>>>(in, out, n); }
void scan_brent_kung(const elem_t *in, elem_t *out, size_t n) { inclusive_kernel<<<1, n < 2 * SECTIONS ? 1 : SECTIONS>>>(in, out, (unsigned)n); }
void scan_conflict_free(const elem_t *in, elem_t *out, size_t n) { exclusive_kernel<<<1, THREADS>>>(in, out, n); }

/* Tiles of 128, one after another: the sum before the next one is carried along. */
__global__ void coarsened_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t tile[1024], sums[THREADS];
    unsigned t   = threadIdx.x;
    elem_t carry = IDENTITY;
    for (unsigned first = 0; first < n; first += 1024) {
        unsigned count = n - first < 1024 ? n - first : 1024;
        for (unsigned i = t; i < count; i += THREADS)
            tile[i] = in[first + i];
        __syncthreads();
        section mine(count, t, THREADS);
        elem_t own    = reduce_section(tile, mine);
        elem_t before = combine(carry, before_me(sums, own, THREADS));
        for (size_t i = mine.begin; i < mine.end; i++)
            tile[i] = before = combine(before, tile[i]);
        __syncthreads();
        for (unsigned i = t; i < count; i += THREADS)
            out[first + i] = tile[i];
        carry = tile[count - 1];
        __syncthreads();
    }
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n) { coarsened_kernel<<<1, THREADS>>>(in, out, (unsigned)n); }

enum { SECTION = 64 };

__global__ void section_sums_kernel(const elem_t *in, elem_t *sums, size_t n, size_t sections)
{
    size_t s = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sections)
        return;
    elem_t sum = in[s * SECTION];
    for (size_t i = s * SECTION + 1; i < n && i < (s + 1) * SECTION; i++)
        sum = combine(sum, in[i]);
    sums[s] = sum;
}

__global__ void section_scan_kernel(const elem_t *in, const elem_t *before, elem_t *out, size_t n)
{
    size_t s   = (size_t)blockIdx.x * blockDim.x + threadIdx.x, last = (s + 1) * SECTION < n ? (s + 1) * SECTION : n;
    elem_t sum = s * SECTION < n && before ? before[s] : IDENTITY;
    for (size_t i = s * SECTION; i < last; i++) {
        elem_t value = in[i];
        out[i]       = sum;
        if (i + 1 < last)
            sum = i == 0 ? value : combine(sum, value);
    }
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    size_t sections = (n + SECTION - 1) / SECTION;
    elem_t *sums    = nullptr;
    if (n == 0)
        return;
    unsigned blocks = (unsigned)((sections + 31) / 32);
    if (sections > 1) {
        cudaMalloc(&sums, sections * sizeof(elem_t));
        section_sums_kernel<<<blocks, 32>>>(in, sums, n, sections);
        scan_global_tree(sums, sums, sections);
    }
    section_scan_kernel<<<blocks, 32>>>(in, sums, out, n);
    cudaFree(sums);
}
