/* No stock scan: the tiles' counts by __syncthreads_count, one thread that scans them, and ranks from a scan of
 * the tile in shared memory. compact_warp does the same with the warps of a block and shuffles.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"

__global__ void flags_of_tile(const int *in, unsigned *flags, size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    if (i >= n)
        return;
    flags[i] = !!keep(in[i]);
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    if (n)
        flags_of_tile<<<(unsigned)((n + TILE - 1) / TILE), TILE>>>(in, flags, n);
}

__global__ void scatter_tile(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    if (i >= n || !flags[i])
        return;
    out[slots[i]] = in[i];
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    if (n)
        scatter_tile<<<(unsigned)((n + TILE - 1) / TILE), TILE>>>(in, flags, slots, out, n);
}

__global__ void count_tile(const int *in, size_t n, unsigned *counts)
{
    size_t i   = (size_t)blockIdx.x * TILE + threadIdx.x;
    int counted = __syncthreads_count(i < n && keep(in[i]));
    if (threadIdx.x == 0)
        counts[blockIdx.x] = (unsigned)counted;
}

/* counts[0 .. pieces) becomes its exclusive scan, and counts[pieces] the total. */
__global__ void scan_counts(unsigned *counts, size_t pieces)
{
    unsigned sum = 0;
    for (size_t b = 0; b <= pieces; b++) {
        unsigned count = b < pieces ? counts[b] : 0;
        counts[b]      = sum;
        sum += count;
    }
}

__global__ void move_tile(const int *in, size_t n, const unsigned *begins, int *out)
{
    __shared__ unsigned ranks[2][TILE];
    unsigned t = threadIdx.x, now = 0;
    size_t i   = (size_t)blockIdx.x * TILE + t;
    bool kept  = i < n && keep(in[i]);

    ranks[0][t] = kept;
    for (unsigned stride = 1; stride < TILE; stride *= 2, now = 1 - now) {
        __syncthreads();
        ranks[1 - now][t] = ranks[now][t] + (t >= stride ? ranks[now][t - stride] : 0);
    }
    if (kept)
        out[begins[blockIdx.x] + ranks[now][t] - 1] = in[i];
}

size_t compact(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t tiles = (n + TILE - 1) / TILE;
    unsigned *counts, total;
    cudaMalloc((void **)&counts, (tiles + 1) * sizeof *counts);
    count_tile<<<(unsigned)tiles, TILE>>>(in, n, counts);
    scan_counts<<<1, 1>>>(counts, tiles);
    move_tile<<<(unsigned)tiles, TILE>>>(in, n, counts, out);
    cudaMemcpy(&total, counts + tiles, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return total;
}

/* Blocks of one warp. */
__global__ void count_by_votes(const int *in, size_t n, unsigned *counts)
{
    size_t i       = (size_t)blockIdx.x * 32 + threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffffu, i < n && keep(in[i]) ? 1 : 0);
    if (threadIdx.x == 31)
        counts[blockIdx.x] = __popc(votes);
}

__global__ void move_by_shuffles(const int *in, size_t n, const unsigned *begins, int *out)
{
    size_t i      = (size_t)blockIdx.x * 32 + threadIdx.x;
    unsigned kept = i < n && keep(in[i]), rank = kept;
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        unsigned left = __shfl_up_sync(0xffffffffu, rank, stride);
        if (threadIdx.x >= stride)
            rank += left;
    }
    if (kept)
        out[begins[blockIdx.x] + rank - 1] = in[i];
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t warps = (n + 31) / 32;
    unsigned *counts, total;
    cudaMalloc((void **)&counts, (warps + 1) * sizeof *counts);
    count_by_votes<<<(unsigned)warps, 32>>>(in, n, counts);
    scan_counts<<<1, 1>>>(counts, warps);
    move_by_shuffles<<<(unsigned)warps, 32>>>(in, n, counts, out);
    cudaMemcpy(&total, counts + warps, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return total;
}
