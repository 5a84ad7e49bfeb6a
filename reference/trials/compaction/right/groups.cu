/* Cooperative groups: tiles of 32 that vote, ranks by their scans; two streams that an event joins; counts of a block
 * in dynamic shared memory.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

constexpr unsigned THREADS = 192;

static unsigned blocks_of(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

__global__ void flags_kernel(const int *in, unsigned *flags, size_t n)
{
    size_t i = cg::this_grid().thread_rank();
    if (i >= n)
        return;
    flags[i] = static_cast<unsigned>(keep(in[i]));
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    if (n > 0)
        flags_kernel<<<blocks_of(n), THREADS>>>(in, flags, n);
}

__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t i = cg::this_grid().thread_rank();
    if (i >= n || flags[i] == 0)
        return;
    out[slots[i]] = in[i];
}

/* The second half on a stream of its own, which the default stream then waits for. */
void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t half = n / 2;
    if (n == 0)
        return;
    cudaStream_t stream;
    cudaEvent_t begun, done;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(begun, 0);
    cudaStreamWaitEvent(stream, begun, 0);
    scatter_kernel<<<blocks_of(n - half), THREADS, 0, stream>>>(in + half, flags + half, slots + half, out, n - half);
    if (half > 0)
        scatter_kernel<<<blocks_of(half), THREADS>>>(in, flags, slots, out, half);
    cudaEventRecord(done, stream);
    cudaStreamWaitEvent(0, done, 0);
    cudaEventDestroy(done);
    cudaEventDestroy(begun);
    cudaStreamDestroy(stream);
}

__global__ void count_kernel(const int *in, unsigned *counts, size_t n)
{
    extern __shared__ unsigned of_warps[];
    cg::thread_block block = cg::this_thread_block();
    auto warp              = cg::tiled_partition<32>(block);
    size_t i               = cg::this_grid().thread_rank();
    unsigned count         = cg::reduce(warp, i < n && keep(in[i]) ? 1u : 0u, cg::plus<unsigned>());
    if (warp.thread_rank() == 0)
        of_warps[warp.meta_group_rank()] = count;
    block.sync();
    if (block.thread_rank() == 0) {
        unsigned sum = 0;
        for (unsigned w = 0; w < warp.meta_group_size(); w++)
            sum += of_warps[w];
        counts[blockIdx.x] = sum;
    }
}

__global__ void place_kernel(const int *in, const unsigned *begins, int *out, size_t n)
{
    extern __shared__ unsigned of_warps[];
    cg::thread_block block = cg::this_thread_block();
    auto warp              = cg::tiled_partition<32>(block);
    size_t i               = cg::this_grid().thread_rank();
    unsigned flag          = i < n && keep(in[i]);
    unsigned rank          = cg::exclusive_scan(warp, flag, cg::plus<unsigned>());
    if (warp.thread_rank() == 31)
        of_warps[warp.meta_group_rank()] = rank + flag;
    block.sync();
    for (unsigned w = 0; w < warp.meta_group_rank(); w++)
        rank += of_warps[w];
    if (flag)
        out[begins[blockIdx.x] + rank] = in[i];
}

size_t compact(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    unsigned blocks = blocks_of(n), *counts, *begins, last[2];
    cudaMalloc(&counts, 2 * blocks * sizeof *counts);
    begins = counts + blocks;
    count_kernel<<<blocks, THREADS, THREADS / 32 * sizeof(unsigned)>>>(in, counts, n);
    stock_scan_exclusive(counts, begins, blocks);
    place_kernel<<<blocks, THREADS, THREADS / 32 * sizeof(unsigned)>>>(in, begins, out, n);
    cudaMemcpy(&last[0], &counts[blocks - 1], sizeof last[0], cudaMemcpyDeviceToHost);
    cudaMemcpy(&last[1], &begins[blocks - 1], sizeof last[1], cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return (size_t)last[0] + last[1];
}

__global__ void vote_kernel(const int *in, unsigned *counts, size_t n)
{
    auto warp      = cg::tiled_partition<32>(cg::this_thread_block());
    size_t i       = cg::this_grid().thread_rank();
    unsigned votes = warp.ballot(i < n && keep(in[i]));
    if (warp.thread_rank() == 0 && i < n)
        counts[i / 32] = __popc(votes);
}

__global__ void move_kernel(const int *in, const unsigned *begins, int *out, size_t n)
{
    auto warp      = cg::tiled_partition<32>(cg::this_thread_block());
    size_t i       = cg::this_grid().thread_rank();
    bool kept      = i < n && keep(in[i]);
    unsigned votes = warp.ballot(kept);
    unsigned begin = warp.shfl(warp.thread_rank() == 0 && i < n ? begins[i / 32] : 0u, 0);
    if (kept)
        out[begin + __popc(votes << 1 << (31 - warp.thread_rank()))] = in[i];
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t warps = (n + 31) / 32;
    unsigned *counts, last, begin;
    cudaMalloc(&counts, 2 * warps * sizeof *counts);
    vote_kernel<<<blocks_of(n), THREADS>>>(in, counts, n);
    stock_scan_exclusive(counts, counts + warps, warps);
    move_kernel<<<blocks_of(n), THREADS>>>(in, counts + warps, out, n);
    cudaMemcpy(&last, counts + warps - 1, sizeof last, cudaMemcpyDeviceToHost);
    cudaMemcpy(&begin, counts + 2 * warps - 1, sizeof begin, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return (size_t)begin + last;
}
