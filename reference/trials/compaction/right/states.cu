/* One pass with 64-bit states: what a tile holds and whether it is a sum or a prefix, in one word, so that neither value
 * nor flag can be seen without the other; a warp looks back over 32 tiles at a time.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"
#include <cuda/atomic>

constexpr unsigned FULL = 0xffffffffu, THREADS = 256, ITEMS = 4, SHARE = THREADS * ITEMS;

typedef unsigned long long state_t;
constexpr state_t SUM = 1ull << 32, PREFIX = 2ull << 32;

typedef cuda::atomic_ref<state_t, cuda::thread_scope_device> shared_state;

template <class Body> __device__ void for_each_of_grid(size_t n, Body body)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        body(i);
}

__global__ void map_kernel(const int *in, unsigned *flags, size_t n)
{
    for_each_of_grid(n, [=](size_t i) { flags[i] = keep(in[i]) ? 1u : 0u; });
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    map_kernel<<<80, 256>>>(in, flags, n);
}

__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    for_each_of_grid(n, [=](size_t i) {
        if (flags[i])
            out[slots[i]] = in[i];
    });
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    scatter_kernel<<<80, 256>>>(in, flags, slots, out, n);
}

/* By all lanes of a warp: how many elements the tiles before this one keep. A state says all there is to say, so relaxed
 * loads are enough. */
__device__ unsigned look_back(unsigned tile, state_t *states)
{
    unsigned lane = threadIdx.x % 32, before = 0;
    for (long long last = (long long)tile - 1; last >= 0; last -= 32) {
        state_t is = PREFIX;
        if (last >= lane)
            while ((is = shared_state(states[last - lane]).load(cuda::memory_order_relaxed)) == 0)
                ;
        unsigned ends = __ballot_sync(FULL, (is & PREFIX) != 0), count = (unsigned)is;
        if (ends && lane > (unsigned)__ffs(ends) - 1)
            count = 0;
        before += __reduce_add_sync(FULL, count);
        if (ends)
            break;
    }
    return before;
}

template <bool WARPS_ONLY>
__global__ void compact_kernel(const int *in, int *out, size_t n, unsigned *ticket, state_t *states)
{
    constexpr unsigned WARPS = WARPS_ONLY ? 1 : THREADS / 32;
    __shared__ unsigned warp_counts[WARPS], shared_tile, shared_begin;
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, tile, rank[ITEMS], count = 0;
    if (WARPS_ONLY)
        tile = __shfl_sync(FULL, lane == 0 ? atomicAdd(ticket, 1) : 0, 0);
    else {
        if (t == 0)
            shared_tile = atomicAdd(ticket, 1);
        __syncthreads();
        tile = shared_tile;
    }
    size_t first = (size_t)tile * WARPS * 32 * ITEMS + warp * 32 * ITEMS + lane;
    int x[ITEMS];
    for (unsigned k = 0; k < ITEMS; k++) {
        x[k]           = first + 32 * k < n ? in[first + 32 * k] : 0;
        unsigned votes = __ballot_sync(FULL, keep(x[k]));
        rank[k]        = count + __popc(votes & ((1u << lane) - 1));
        count += __popc(votes);
    }
    unsigned begin = 0, all = count;
    if (!WARPS_ONLY) {
        if (lane == 0)
            warp_counts[warp] = count;
        __syncthreads();
        all = 0;
        for (unsigned w = 0; w < WARPS; w++) {
            begin += w < warp ? warp_counts[w] : 0;
            all += warp_counts[w];
        }
    }
    if (warp == 0) {
        if (lane == 0)
            shared_state(states[tile]).store((tile == 0 ? PREFIX : SUM) | all, cuda::memory_order_relaxed);
        unsigned before = look_back(tile, states);
        if (lane == 0 && tile > 0)
            shared_state(states[tile]).store(PREFIX | (before + all), cuda::memory_order_relaxed);
        if (WARPS_ONLY)
            begin = before;
        else if (lane == 0)
            shared_begin = before;
    }
    if (!WARPS_ONLY) {
        __syncthreads();
        begin += shared_begin;
    }
    for (unsigned k = 0; k < ITEMS; k++)
        if (keep(x[k]))
            out[begin + rank[k]] = x[k];
}

template <bool WARPS_ONLY> static size_t run(const int *in, int *out, size_t n)
{
    if (n == 0)
        return 0;
    unsigned share = WARPS_ONLY ? 32 * ITEMS : SHARE;
    size_t tiles   = (n - 1) / share + 1;
    state_t *states, last;
    cudaMalloc(&states, (tiles + 1) * sizeof *states);
    cudaMemset(states, 0, (tiles + 1) * sizeof *states);
    compact_kernel<WARPS_ONLY><<<(unsigned)tiles, WARPS_ONLY ? 32 : THREADS>>>(in, out, n, (unsigned *)(states + tiles), states);
    cudaMemcpy(&last, states + tiles - 1, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(states);
    return (unsigned)last;
}

size_t compact(const int *in, int *out, size_t n)
{
    return run<false>(in, out, n);
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return run<true>(in, out, n);
}
