/* Slots of 64 bits, so that no length is too long; the count is read by the host from a variable on the device.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"

__device__ size_t kept_in_all;

template <typename Flag> __global__ void map(const int *in, Flag *flags, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        flags[i] = keep(in[i]) ? Flag(1) : Flag(0);
}

template <typename Flag, typename Slot>
__global__ void move(const int *__restrict__ in, const Flag *__restrict__ flags, const Slot *__restrict__ slots,
                     int *__restrict__ out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flags[i] != 0)
        out[slots[i]] = in[i];
    if (i + 1 == n)
        kept_in_all = slots[i] + flags[i];
}

static dim3 grid(size_t n)
{
    return dim3((unsigned)((n + 1023) / 1024));
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    if (n != 0)
        map<unsigned><<<grid(n), 1024>>>(in, flags, n);
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    if (n != 0)
        move<unsigned, unsigned><<<grid(n), 1024>>>(in, flags, slots, out, n);
}

size_t compact(const int *in, int *out, size_t n)
{
    size_t *flags, *slots, count = 0;
    if (n == 0)
        return 0;
    cudaMalloc(&flags, n * sizeof(size_t));
    cudaMalloc(&slots, n * sizeof(size_t));
    map<size_t><<<grid(n), 1024>>>(in, flags, n);
    stock_scan_exclusive_long(flags, slots, n);
    move<size_t, size_t><<<grid(n), 1024>>>(in, flags, slots, out, n);
    cudaMemcpyFromSymbol(&count, kept_in_all, sizeof count);
    cudaFree(slots);
    cudaFree(flags);
    return count;
}

/* The first pass keeps the votes, so that the second need not ask keep() again. */
__global__ void vote(const int *in, unsigned *votes, size_t *counts, size_t n)
{
    size_t i   = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = __ballot_sync(~0u, i < n && keep(in[i]));
    if (i % 32 == 0 && i < n) {
        votes[i / 32]  = v;
        counts[i / 32] = __popc(v);
    }
}

__global__ void move_voted(const int *in, const unsigned *votes, const size_t *begins, int *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = votes[i / 32], lane = i % 32;
    if (v >> lane & 1)
        out[begins[i / 32] + __popc(v & ~(~0u << lane))] = in[i];
    if (i + 1 == n)
        kept_in_all = begins[i / 32] + __popc(v);
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    size_t warps = (n + 31) / 32, *sums, count = 0;
    unsigned *votes;
    if (n == 0)
        return 0;
    cudaMalloc(&votes, warps * sizeof(unsigned));
    cudaMalloc(&sums, warps * sizeof(size_t));
    vote<<<grid(n), 1024>>>(in, votes, sums, n);
    stock_scan_exclusive_long(sums, sums, warps);
    move_voted<<<grid(n), 1024>>>(in, votes, sums, out, n);
    cudaMemcpyFromSymbol(&count, kept_in_all, sizeof count);
    cudaFree(sums);
    cudaFree(votes);
    return count;
}
