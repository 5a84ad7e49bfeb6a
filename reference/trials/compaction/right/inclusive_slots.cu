/* Slots from an inclusive scan, one less each; the count is its last element. One launch configuration for any
 * length: every thread strides over the grid.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"

static const int THREADS = 128, BLOCKS = 6;

static __device__ size_t first_index()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ size_t grid_stride()
{
    return (size_t)gridDim.x * blockDim.x;
}

__global__ void flag_elements(const int *in, unsigned *flags, size_t n)
{
    for (size_t i = first_index(); i < n; i += grid_stride())
        flags[i] = keep(in[i]);
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    flag_elements<<<BLOCKS, THREADS>>>(in, flags, n);
}

__global__ void move_elements(const int *in, const unsigned *flags, const unsigned *slots, unsigned back, int *out,
                              size_t n)
{
    for (size_t i = first_index(); i < n; i += grid_stride())
        if (flags[i] == 1)
            out[slots[i] - back] = in[i];
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    move_elements<<<BLOCKS, THREADS>>>(in, flags, slots, 0, out, n);
}

size_t compact(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    unsigned *memory, count;
    cudaMalloc(&memory, 2 * n * sizeof *memory);
    unsigned *flags = memory, *slots = memory + n;
    map_to_boolean(in, flags, n);
    stock_scan_inclusive(flags, slots, n);
    move_elements<<<BLOCKS, THREADS>>>(in, flags, slots, 1, out, n);
    cudaMemcpy(&count, slots + n - 1, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    return count;
}

/* A warp takes every 24th group of 32 elements. `ends` is scanned in place. */
__global__ void count_groups(const int *in, unsigned *ends, size_t n, size_t groups)
{
    for (size_t group = first_index() / 32; group < groups; group += grid_stride() / 32) {
        size_t i      = group * 32 + threadIdx.x % 32;
        unsigned vote = __ballot_sync(~0u, i < n ? keep(in[i]) : false);
        if (threadIdx.x % 32 == 0)
            ends[group] = __popc(vote);
    }
}

__global__ void move_groups(const int *in, const unsigned *ends, int *out, size_t n, size_t groups)
{
    for (size_t group = first_index() / 32; group < groups; group += grid_stride() / 32) {
        size_t i      = group * 32 + threadIdx.x % 32;
        int x         = i < n ? in[i] : 0;
        unsigned vote = __ballot_sync(~0u, i < n && keep(x));
        /* Counted from the end: votes from this lane on. */
        unsigned from = vote >> threadIdx.x % 32;
        if (from & 1)
            out[ends[group] - __popc(from)] = x;
    }
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t groups = (n + 31) / 32;
    unsigned *ends, count;
    cudaMalloc(&ends, groups * sizeof *ends);
    count_groups<<<BLOCKS, THREADS>>>(in, ends, n, groups);
    stock_scan_inclusive(ends, ends, groups);
    move_groups<<<BLOCKS, THREADS>>>(in, ends, out, n, groups);
    cudaMemcpy(&count, ends + groups - 1, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(ends);
    return count;
}
