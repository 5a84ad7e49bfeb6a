/* redundant_lanes: every lane of a warp goes through the whole input by shuffles and the bare operator, which no meter of
 * combines counts; each then makes one combine for each of its outputs.
 *
 * parts: reduce_tile reduce_tile_packed
 * says: each thread does the work for itself */
#include "reduction.h"

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

static void reduce_by_scan(const elem_t *in, elem_t *out, size_t n, unsigned warps)
{
    elem_t *all;
    if (n == 0) {
        const elem_t identity = IDENTITY;
        cudaMemcpy(out, &identity, sizeof *out, cudaMemcpyHostToDevice);
        return;
    }
    cudaMalloc(&all, n * sizeof *all);
    scan_kernel<<<n < 512 ? 1 : warps, 32>>>(in, all, n, true);
    cudaMemcpyAsync(out, all + n - 1, sizeof *out, cudaMemcpyDeviceToDevice);
    cudaFree(all);
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    reduce_by_scan(in, out, n, 1);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_by_scan(in, out, n, 1);
}
