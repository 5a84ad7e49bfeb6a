/* As Billeter, Olsson and Assarsson (2009) do it: a fixed number of blocks, or of warps, each with a range of neighbours of its own,
 * whatever the length is. They count, the counts are scanned, and they move. All threads of a block read where its range begins.
 *
 * parts: compact compact_warp */
#include "compaction.h"

enum { BLOCKS = 60, THREADS = 128, WARPS = 480 };

__global__ void count_range(const int *in, size_t n, size_t share, unsigned *counts)
{
    __shared__ unsigned total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    size_t begin = min(blockIdx.x * share, n), end = min(begin + share, n);
    unsigned mine = 0;
    for (size_t i = begin + threadIdx.x; i < end; i += THREADS)
        mine += keep(in[i]);
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = total;
}
__global__ void scan_counts(unsigned *counts)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, own = t < BLOCKS ? counts[t] : 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    if (t <= BLOCKS)
        counts[t] = s[t] - own;
}
__global__ void move_range(const int *in, int *out, size_t n, size_t share, const unsigned *begins)
{
    __shared__ unsigned warp_counts[THREADS / 32];
    size_t begin = min(blockIdx.x * share, n), end = min(begin + share, n);
    unsigned slot = begins[blockIdx.x], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (size_t base = begin; base < end; base += THREADS) {
        size_t i = base + threadIdx.x;
        int x = i < end ? in[i] : 0;
        bool kept = i < end && keep(x);
        unsigned votes = __ballot_sync(0xffffffff, kept);
        if (lane == 0)
            warp_counts[warp] = __popc(votes);
        __syncthreads();
        unsigned before = slot;
        for (unsigned w = 0; w < THREADS / 32; w++) {
            if (w < warp)
                before += warp_counts[w];
            slot += warp_counts[w];
        }
        if (kept)
            out[before + __popc(votes & ((1u << lane) - 1))] = x;
        __syncthreads();
    }
}
size_t compact(const int *in, int *out, size_t n)
{
    unsigned *counts, total;
    cudaMalloc(&counts, (BLOCKS + 1) * sizeof *counts);
    size_t share = (n + BLOCKS - 1) / BLOCKS;
    count_range<<<BLOCKS, THREADS>>>(in, n, share, counts);
    scan_counts<<<1, 64>>>(counts);
    move_range<<<BLOCKS, THREADS>>>(in, out, n, share, counts);
    cudaMemcpy(&total, counts + BLOCKS, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return total;
}

__global__ void warp_counts(const int *in, size_t n, size_t rows, unsigned *counts)
{
    unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31, count = 0;
    size_t begin = w * rows * 32;
    for (size_t r = 0; r < rows; r++) {
        size_t i = begin + r * 32 + lane;
        if (begin + r * 32 >= n)
            break;
        count += __popc(__ballot_sync(~0u, i < n && keep(in[i])));
    }
    if (lane == 0)
        counts[w] = count;
}
__global__ void warp_move(const int *in, int *out, size_t n, size_t rows, const unsigned *begins)
{
    unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31, slot = begins[w];
    size_t begin = w * rows * 32;
    for (size_t r = 0; r < rows && begin + r * 32 < n; r++) {
        size_t i = begin + r * 32 + lane;
        int x = i < n ? in[i] : 0;
        unsigned votes = __ballot_sync(~0u, i < n && keep(x)), below;
        below = votes & ~(~0u << lane);
        if (votes >> lane & 1)
            out[slot + __popc(below)] = x;
        slot += __popc(votes);
    }
}
size_t compact_warp(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t warps = (n + 31) / 32 < WARPS ? (n + 31) / 32 : WARPS, rows = ((n + 31) / 32 + warps - 1) / warps;
    unsigned blocks = (unsigned)(warps + 3) / 4, launched = blocks * 4;
    warps = (n + 32 * rows - 1) / (32 * rows);
    unsigned *counts, *begins, last[2];
    cudaMalloc(&counts, launched * 2 * sizeof *counts);
    begins = counts + launched;
    warp_counts<<<blocks, 128>>>(in, n, rows, counts);
    stock_scan_exclusive(counts, begins, warps);
    if (warps < launched)
        cudaMemset(begins + warps, 0, (launched - warps) * sizeof *begins);
    warp_move<<<blocks, 128>>>(in, out, n, rows, begins);
    cudaMemcpy(&last[0], begins + warps - 1, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&last[1], counts + warps - 1, 4, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return (size_t)last[0] + last[1];
}
