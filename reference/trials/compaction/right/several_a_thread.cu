/* Every thread compacts several neighbouring elements: fewer counts to scan. A warp of compact_warp takes eight
 * rows of 32.
 *
 * parts: map_to_boolean scatter compact compact_warp */
#include "compaction.h"

enum { THREADS = 64, EACH = 4, ROWS = 8 };

static unsigned blocks(size_t threads)
{
    return (unsigned)((threads + THREADS - 1) / THREADS);
}

__global__ void map_pairs(const int *in, unsigned *flags, size_t n)
{
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 2;
    for (size_t i = first; i < n && i < first + 2; i++)
        flags[i] = keep(in[i]) ? 1 : 0;
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    if (n > 0)
        map_pairs<<<blocks((n + 1) / 2), THREADS>>>(in, flags, n);
}

__global__ void scatter_pairs(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 2;
    for (size_t i = first; i < n && i < first + 2; i++)
        if (flags[i])
            out[slots[i]] = in[i];
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    if (n > 0)
        scatter_pairs<<<blocks((n + 1) / 2), THREADS>>>(in, flags, slots, out, n);
}

/* Counts when out is null, moves otherwise. */
__global__ void each_thread(const int *in, unsigned *counts, int *out, size_t n)
{
    size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x, i = t * EACH;
    if (i >= n)
        return;
    unsigned slot = out ? counts[t] : 0;
    for (size_t end = i + EACH < n ? i + EACH : n; i < end; i++)
        if (keep(in[i])) {
            if (out)
                out[slot] = in[i];
            slot++;
        }
    if (!out)
        counts[t] = slot;
}

/* Counts when out is null, moves otherwise. */
__global__ void each_warp(const int *in, unsigned *counts, int *out, size_t n)
{
    unsigned lane = threadIdx.x % 32;
    size_t w      = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32;
    if (w * 32 * ROWS >= n)
        return;
    unsigned slot = out ? counts[w] : 0;
    for (unsigned row = 0; row < ROWS; row++) {
        size_t i       = (w * ROWS + row) * 32 + lane;
        bool kept      = i < n && keep(in[i]);
        unsigned votes = __ballot_sync(~0u, kept);
        if (out && kept)
            out[slot + __popc(votes & ((1u << lane) - 1))] = in[i];
        slot += __popc(votes);
    }
    if (!out && lane == 0)
        counts[w] = slot;
}

template <typename Kernel> static size_t two_passes(Kernel pass, const int *in, int *out, size_t n, size_t counted,
                                                    size_t threads)
{
    if (n == 0)
        return 0;
    unsigned *counts, last, before;
    cudaMalloc(&counts, counted * sizeof *counts);
    pass<<<blocks(threads), THREADS>>>(in, counts, nullptr, n);
    cudaMemcpy(&last, counts + counted - 1, sizeof last, cudaMemcpyDeviceToHost);
    stock_scan_exclusive(counts, counts, counted);
    pass<<<blocks(threads), THREADS>>>(in, counts, out, n);
    cudaMemcpy(&before, counts + counted - 1, sizeof before, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    return (size_t)before + last;
}

size_t compact(const int *in, int *out, size_t n)
{
    size_t threads = (n + EACH - 1) / EACH;
    return two_passes(each_thread, in, out, n, threads, threads);
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    size_t warps = (n + 32 * ROWS - 1) / (32 * ROWS);
    return two_passes(each_warp, in, out, n, warps, warps * 32);
}
