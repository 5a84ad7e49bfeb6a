/* Groups that the predicate makes: a tile of 32 is cut into the lanes that keep and the lanes that drop, and a lane's rank in its
 * part is its rank in the output. Blocks find their tiles in a loop over the grid. compact counts by __syncthreads_count
 * and ranks by a block's stock scan; compact_warp finds ranks by a masked count and counts by __reduce_add_sync.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

enum { BLOCK = 256, MOST = 96 };

static int blocks_of(size_t n) { return (int)(n / BLOCK + 1 < MOST ? n / BLOCK + 1 : MOST); }

__global__ void map_kernel(const int *in, unsigned *flags, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        flags[i] = !!keep(in[i]);
}

void map_to_boolean(const int *in, unsigned *flags, size_t n) { map_kernel<<<blocks_of(n), BLOCK>>>(in, flags, n); }

__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        if (__ldg(&flags[i]))
            out[__ldg(&slots[i])] = __ldg(&in[i]);
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    if (n != 0)
        scatter_kernel<<<blocks_of(n), BLOCK>>>(in, flags, slots, out, n);
}

__global__ void count_kernel(const int *in, unsigned *counts, size_t n, unsigned tiles)
{
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const size_t i   = (size_t)tile * BLOCK + threadIdx.x;
        const int kept   = __syncthreads_count(i < n && keep(in[i]));
        if (threadIdx.x == 0)
            counts[tile] = kept;
    }
}

__global__ void move_kernel(const int *in, const unsigned *begins, int *out, size_t n, unsigned tiles)
{
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const size_t i = (size_t)tile * BLOCK + threadIdx.x;
        unsigned all;
        const int x         = i < n ? in[i] : 0;
        const bool is       = i < n && keep(x);
        const unsigned rank = stock_block_scan(is, &all);
        if (is)
            out[begins[tile] + rank] = x;
    }
}

size_t compact(const int *in, int *out, size_t n)
{
    unsigned *counts, *begins, last[2];
    const unsigned tiles = (unsigned)((n + BLOCK - 1) / BLOCK);
    if (tiles == 0)
        return 0;
    cudaMalloc(&counts, 2 * tiles * sizeof *counts);
    begins = counts + tiles;
    count_kernel<<<blocks_of(n), BLOCK>>>(in, counts, n, tiles);
    stock_scan_exclusive(counts, begins, tiles);
    move_kernel<<<blocks_of(n), BLOCK>>>(in, begins, out, n, tiles);
    cudaMemcpy(&last[0], &counts[tiles - 1], sizeof last[0], cudaMemcpyDeviceToHost);
    cudaMemcpy(&last[1], &begins[tiles - 1], sizeof last[1], cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return (size_t)last[0] + last[1];
}

static __device__ unsigned lanemask_lt()
{
    return ~0u >> 1 >> (31 - (threadIdx.x & 31));
}

__global__ void warp_counts_kernel(const int *in, unsigned *counts, size_t n, unsigned warps)
{
    const unsigned lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    for (size_t warp = first; warp < warps; warp += gridDim.x * (BLOCK / 32)) {
        const size_t i      = warp * 32 + lane;
        const unsigned kept = __reduce_add_sync(0xffffffff, i < n && keep(in[i]) ? 1u : 0u);
        if (lane == 0)
            counts[warp] = kept;
    }
}

__global__ void warp_moves_kernel(const int *in, const unsigned *slots, int *out, size_t n, unsigned warps, bool by_groups)
{
    auto tile           = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned lane = tile.thread_rank(), first = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    for (size_t warp = first; warp < warps; warp += gridDim.x * (BLOCK / 32)) {
        const size_t i       = warp * 32 + lane;
        const int x          = i < n ? in[i] : 0;
        const bool is        = i < n && keep(x);
        const unsigned begin = warp > 0 ? slots[warp - 1] : 0;
        if (by_groups) {
            auto same = cg::binary_partition(tile, is);
            if (is)
                out[begin + same.thread_rank()] = x;
        } else {
            const unsigned like = __match_any_sync(0xffffffff, (int)is);
            if (is)
                out[begin + __popc(like & lanemask_lt())] = x;
        }
    }
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    const unsigned warps = (unsigned)((n + 31) / 32);
    if (warps == 0)
        return 0;
    unsigned *counts = nullptr, total = 0;
    cudaMalloc(&counts, warps * sizeof *counts);
    warp_counts_kernel<<<blocks_of(n), BLOCK>>>(in, counts, n, warps);
    stock_scan_inclusive(counts, counts, warps);
    warp_moves_kernel<<<blocks_of(n), BLOCK>>>(in, counts, out, n, warps, n % 2 == 0);
    cudaMemcpy(&total, counts + (warps - 1), sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return total;
}
