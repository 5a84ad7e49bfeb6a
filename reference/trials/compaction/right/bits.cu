/* 32 elements a thread, their flags as the bits of one word, no ballot but in compact_warp. Loads are 16 bytes wide
 * between an odd head and an odd tail.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"

constexpr unsigned THREADS = 128, WARP = 32;

/* Four flags at a time, from the first multiple of 16 bytes on. */
__global__ void flags_kernel(const int *in, unsigned *flags, size_t n, size_t head)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x, first = head + 4 * i;
    if (i < head)
        flags[i] = keep(in[i]);
    if (first + 4 <= n) {
        int4 x           = *(const int4 *)(in + first);
        flags[first]     = keep(x.x);
        flags[first + 1] = keep(x.y);
        flags[first + 2] = keep(x.z);
        flags[first + 3] = keep(x.w);
    } else
        for (; first < n; first++)
            flags[first] = keep(in[first]);
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    size_t head = (16 - (size_t)in % 16) % 16 / 4;
    if (n > 0)
        flags_kernel<<<(unsigned)(n / 4 / THREADS + 1), THREADS>>>(in, flags, n, head < n ? head : n);
}

/* A thread moves 8 elements at a distance of THREADS. */
__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS * 8 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 8; k++, i += THREADS)
        if (i < n && flags[i] != 0)
            out[slots[i]] = in[i];
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    if (n > 0)
        scatter_kernel<<<(unsigned)((n - 1) / (THREADS * 8) + 1), THREADS>>>(in, flags, slots, out, n);
}

/* bits[w], counts[w]: of elements 32 w to 32 w + 31. */
__global__ void count_kernel(const int *in, unsigned *bits, unsigned *counts, size_t n)
{
    size_t w = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (w * 32 >= n)
        return;
    unsigned mine = 0;
    for (unsigned k = 0; k < 32 && w * 32 + k < n; k++)
        mine |= (unsigned)keep(in[w * 32 + k]) << k;
    bits[w]   = mine;
    counts[w] = __popc(mine);
}

__global__ void move_kernel(const int *in, const unsigned *bits, const unsigned *begins, int *out, size_t n)
{
    size_t w = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (w * 32 >= n)
        return;
    unsigned slot = begins[w];
    for (unsigned left = bits[w]; left != 0; left &= left - 1)
        out[slot++] = in[w * 32 + __ffs(left) - 1];
}

static size_t total_of(const unsigned *begins, const unsigned *counts, size_t count)
{
    unsigned begin, last;
    cudaMemcpy(&begin, begins + count - 1, sizeof begin, cudaMemcpyDeviceToHost);
    cudaMemcpy(&last, counts + count - 1, sizeof last, cudaMemcpyDeviceToHost);
    return (size_t)begin + last;
}

size_t compact(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t words = (n + 31) / 32;
    unsigned *memory, blocks = (unsigned)((words + THREADS - 1) / THREADS);
    cudaMalloc(&memory, 3 * words * sizeof *memory);
    unsigned *bits = memory, *counts = memory + words, *begins = memory + 2 * words;
    count_kernel<<<blocks, THREADS>>>(in, bits, counts, n);
    stock_scan_exclusive(counts, begins, words);
    move_kernel<<<blocks, THREADS>>>(in, bits, begins, out, n);
    size_t count = total_of(begins, counts, words);
    cudaFree(memory);
    return count;
}

/* Warps stride over the rows of 32 elements; the votes are kept, so that the second pass needs none. */
__global__ void vote_kernel(const int *in, unsigned *votes, unsigned *counts, size_t n)
{
    unsigned lane = threadIdx.x % WARP;
    size_t warps  = (size_t)gridDim.x * (THREADS / WARP);
    for (size_t w = (size_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP; w * WARP < n; w += warps) {
        size_t i      = w * WARP + lane;
        unsigned mine = __ballot_sync(~0u, i < n && keep(in[i]));
        if (lane == 0) {
            votes[w]  = mine;
            counts[w] = __popc(mine);
        }
    }
}

__global__ void place_kernel(const int *in, const unsigned *votes, const unsigned *begins, int *out, size_t n)
{
    unsigned lane = threadIdx.x % WARP;
    size_t warps  = (size_t)gridDim.x * (THREADS / WARP);
    for (size_t w = (size_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP; w * WARP < n; w += warps) {
        unsigned all = votes[w];
        if (all >> lane & 1)
            out[begins[w] + __popc(all & ~(~0u << lane))] = in[w * WARP + lane];
    }
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    size_t words = (n + WARP - 1) / WARP, blocks = (words + 3) / 4;
    unsigned *memory;
    cudaMalloc(&memory, 3 * words * sizeof *memory);
    unsigned *votes = memory, *counts = memory + words, *begins = memory + 2 * words;
    blocks = blocks < 256 ? blocks : 256;
    vote_kernel<<<(unsigned)blocks, THREADS>>>(in, votes, counts, n);
    stock_scan_exclusive(counts, begins, words);
    place_kernel<<<(unsigned)blocks, THREADS>>>(in, votes, begins, out, n);
    size_t count = total_of(begins, counts, words);
    cudaFree(memory);
    return count;
}
