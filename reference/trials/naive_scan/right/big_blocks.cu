/* Blocks with more shared memory than 48 KiB, which has to be asked for; a cooperative grid for the additions; copies
 * on the device for the conversions.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned THREADS = 512, KIB = 64, SECTION = KIB * 1024 / sizeof(elem_t) / THREADS;
constexpr unsigned SHARE = THREADS * SECTION; /* elements of a block */

/* Sections of SECTION elements in shared memory, one a thread; then the sections' sums. */
__global__ void shares_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    extern __shared__ elem_t share[];
    __shared__ elem_t ends[THREADS];
    unsigned t    = threadIdx.x;
    size_t first  = (size_t)blockIdx.x * SHARE;
    unsigned here = n - first < SHARE ? (unsigned)(n - first) : SHARE;
    for (unsigned i = t; i < here; i += THREADS)
        share[i] = in[first + i];
    __syncthreads();
    unsigned begin = t * SECTION < here ? t * SECTION : here, end = min(begin + SECTION, here);
    elem_t sum = begin < end ? share[begin] : IDENTITY;
    for (unsigned i = begin + 1; i < end; i++)
        share[i] = sum = combine(sum, share[i]);
    ends[t] = sum;
    for (unsigned stride = 1; stride < THREADS && stride * SECTION < here; stride *= 2) {
        __syncthreads();
        elem_t left = t >= stride ? ends[t - stride] : IDENTITY;
        __syncthreads();
        if (t >= stride && begin < end)
            ends[t] = sum = combine(left, sum);
    }
    __syncthreads();
    for (unsigned i = begin; i < end; i++)
        if (t > 0)
            share[i] = combine(ends[t - 1], share[i]);
    __syncthreads();
    for (unsigned i = t; i < here; i += THREADS)
        out[first + i] = share[i];
    if (t == 0 && sums)
        sums[blockIdx.x] = share[here - 1];
}

__global__ void add_kernel(elem_t *out, const elem_t *sums, size_t n)
{
    auto grid = cg::this_grid();
    for (size_t i = SHARE + grid.thread_rank(); i < n; i += grid.size())
        out[i] = combine(sums[i / SHARE - 1], out[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t blocks = (n + SHARE - 1) / SHARE;
    elem_t *sums  = nullptr;
    if (blocks > 1)
        cudaMalloc(&sums, blocks * sizeof *sums);
    cudaFuncSetAttribute(shares_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, KIB * 1024);
    shares_kernel<<<(unsigned)blocks, THREADS, KIB * 1024>>>(in, out, sums, n);
    if (blocks == 1)
        return;
    scan_global(sums, sums, blocks); /* of one block: all is read before anything is written */
    add_kernel<<<(unsigned)blocks * 4, 256>>>(out, sums, n);
    cudaFree(sums);
}

/* In one block: all strides in registers and one shared buffer; the group's own barrier. */
__global__ void tile_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t buffer[2 * TILE];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank(), n = block.size(), base = 0;
    elem_t sum = in[t];
    for (unsigned stride = 1; stride < n; stride *= 2, base = TILE - base) {
        buffer[base + t] = sum;
        block.sync();
        if (t >= stride)
            sum = combine(buffer[base + t - stride], sum);
    }
    block.sync();
    out[t] = sum;
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n>>>(in, out);
}

/* The same with one buffer, and a second barrier before it is written again. */
__global__ void one_buffer_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t buffer[TILE];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank(), n = block.size();
    elem_t sum = in[t];
    for (unsigned stride = 1; stride < n; stride *= 2) {
        buffer[t] = sum;
        block.sync();
        if (t >= stride)
            sum = combine(buffer[t - stride], sum);
        block.sync();
    }
    out[t] = sum;
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    one_buffer_kernel<<<1, (unsigned)n>>>(in, out);
}

/* Two threads an element, one for each half of its prefix. */
__global__ void halves_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t right_half[TILE];
    for (unsigned p = threadIdx.x; p < 2 * n; p += blockDim.x) {
        unsigned i = p / 2, middle = (i + 1) / 2, from = p % 2 ? middle : 0, to = p % 2 ? i + 1 : middle;
        if (from == to)
            continue;
        elem_t sum = in[from];
        for (unsigned k = from + 1; k < to; k++)
            sum = combine(sum, in[k]);
        if (p % 2)
            right_half[i] = sum;
        else
            out[i] = sum;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = i > 0 ? combine(out[i], right_half[i]) : right_half[0];
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    halves_kernel<<<1, 256>>>(in, out, (unsigned)n);
}

__global__ void first_kernel(elem_t *out)
{
    *out = IDENTITY;
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    first_kernel<<<1, 1>>>(out);
    cudaMemcpyAsync(out + 1, in, (n - 1) * sizeof *in, cudaMemcpyDeviceToDevice);
}

__global__ void own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    auto grid = cg::this_grid();
    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        own_kernel<<<(unsigned)min((n + 255) / 256, (size_t)132), 256>>>(scanned, in, out, n);
}
