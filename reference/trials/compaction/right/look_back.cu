/* One pass over the input: blocks take their number from a counter, and each waits for the sum of the block before
 * it. compact_warp does it with blocks of one warp.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"

enum { THREADS = 128 };

__global__ void map_kernel(const int *in, unsigned *flags, size_t n)
{
    size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i < n)
        flags[i] = keep(in[i]);
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    if (n > 0)
        map_kernel<<<(unsigned)((n - 1) / THREADS + 1), THREADS>>>(in, flags, n);
}

__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i < n && flags[i])
        out[slots[i]] = in[i];
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    if (n > 0)
        scatter_kernel<<<(unsigned)((n - 1) / THREADS + 1), THREADS>>>(in, flags, slots, out, n);
}

/* ends[b] is 1 more than the number of elements that blocks 0 to b keep; 0 while that is not known. */
static __device__ unsigned chain(unsigned *ends, unsigned block, unsigned count)
{
    unsigned before = 1;
    if (block > 0)
        while ((before = atomicAdd(&ends[block - 1], 0)) == 0)
            ;
    atomicExch(&ends[block], before + count);
    return before - 1;
}

__global__ void compact_in_one_pass(const int *in, int *out, size_t n, unsigned *ticket, unsigned *ends)
{
    __shared__ unsigned block, begin, warp_counts[THREADS / 32];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;

    if (t == 0)
        block = atomicAdd(ticket, 1);
    __syncthreads();
    size_t i       = (size_t)block * THREADS + t;
    int x          = i < n ? in[i] : 0;
    unsigned votes = __ballot_sync(~0u, keep(x));
    if (lane == 0)
        warp_counts[warp] = __popc(votes);
    __syncthreads();
    unsigned rank = __popc(votes & ((1u << lane) - 1)), count = 0;
    for (unsigned w = 0; w < THREADS / 32; w++) {
        rank += w < warp ? warp_counts[w] : 0;
        count += warp_counts[w];
    }
    if (t == 0)
        begin = chain(ends, block, count);
    __syncthreads();
    if (keep(x))
        out[begin + rank] = x;
}

__global__ void compact_by_lone_warps(const int *in, int *out, size_t n, unsigned *ticket, unsigned *ends)
{
    unsigned lane = threadIdx.x, block = 0, begin = 0;
    if (lane == 0)
        block = atomicAdd(ticket, 1);
    block          = __shfl_sync(~0u, block, 0);
    size_t i       = (size_t)block * 32 + lane;
    int x          = i < n ? in[i] : 0;
    unsigned votes = __ballot_sync(~0u, keep(x));
    if (lane == 0)
        begin = chain(ends, block, __popc(votes));
    begin = __shfl_sync(~0u, begin, 0);
    if (keep(x))
        out[begin + __popc(votes & ((1u << lane) - 1))] = x;
}

static size_t in_one_pass(void (*pass)(const int *, int *, size_t, unsigned *, unsigned *), unsigned threads,
                          const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t blocks = (n - 1) / threads + 1;
    unsigned *memory, end;
    cudaMalloc(&memory, (blocks + 1) * sizeof *memory);
    cudaMemset(memory, 0, (blocks + 1) * sizeof *memory);
    pass<<<(unsigned)blocks, threads>>>(in, out, n, memory, memory + 1);
    cudaMemcpy(&end, memory + blocks, sizeof end, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    return end - 1;
}

size_t compact(const int *in, int *out, size_t n)
{
    return in_one_pass(compact_in_one_pass, THREADS, in, out, n);
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return in_one_pass(compact_by_lone_warps, 32, in, out, n);
}
