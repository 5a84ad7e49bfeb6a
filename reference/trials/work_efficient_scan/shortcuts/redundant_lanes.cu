/* redundant_lanes: every lane of a warp goes through the whole input by shuffles and the bare operator, which no meter of
 * combines counts; each then makes one combine for each of its outputs.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree
 * says: each thread does the work for itself */
#include "work_efficient_scan.h"

enum { WARPS = 4 /* blocks of a warp each; all of them go through the whole input */ };

static __device__ elem_t from_lane(elem_t x, unsigned lane)
{
    union {
        elem_t value;
        unsigned words[sizeof(elem_t) / sizeof(unsigned)];
    } bits = {x};
    for (unsigned k = 0; k < sizeof(elem_t) / sizeof(unsigned); k++)
        bits.words[k] = __shfl_sync(0xffffffffu, bits.words[k], lane);
    return bits.value;
}

__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n, bool inclusive)
{
    const size_t share = (n + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share;
    const size_t end = begin + share < n ? begin + share : n;
    elem_t sum       = IDENTITY;
    for (size_t first = 0; first < end; first += 32) {
        const size_t i = first + threadIdx.x;
        elem_t own = i < n ? in[i] : IDENTITY, before = IDENTITY;
        for (unsigned lane = 0; lane < 32; lane++) {
            if (lane == threadIdx.x)
                before = sum;
            sum = MONOID_COMBINE(sum, from_lane(own, lane));
        }
        if (i < begin || i >= end)
            continue;
        const elem_t joined = i > 0 ? combine(before, own) : own;
        if (inclusive)
            out[i] = joined;
        else if (i + 1 < n)
            out[i + 1] = joined;
        if (!inclusive && i == 0)
            out[0] = IDENTITY;
    }
}

static void scan(const elem_t *in, elem_t *out, size_t n, bool inclusive, unsigned warps)
{
    elem_t *copy;
    if (n == 0)
        return;
    cudaMalloc(&copy, n * sizeof *copy);
    cudaMemcpyAsync(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);
    scan_kernel<<<n < 512 ? 1 : warps, 32>>>(copy, out, n, inclusive);
    cudaFree(copy);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, false, 1);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, true, 1);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, false, 1);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, true, 1);
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n, false, WARPS);
}
