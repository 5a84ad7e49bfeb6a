/* serial_block: one block walks through the array, a warp at a time in compact and compact_warp.
 *
 * parts: map_to_boolean scatter compact compact_warp
 * says: one block does the work */
#include "compaction.h"

__global__ void flags_kernel(const int *in, unsigned *flags, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        flags[i] = keep(in[i]);
}

__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        if (flags[i])
            out[slots[i]] = in[i];
}

/* One warp. */
__global__ void compact_kernel(const int *in, int *out, size_t n, unsigned *count)
{
    unsigned slot = 0;
    for (size_t first = 0; first < n; first += 32) {
        size_t i       = first + threadIdx.x;
        bool kept      = i < n && keep(in[i]);
        unsigned votes = __ballot_sync(0xffffffffu, kept);
        if (kept)
            out[slot + __popc(votes & ((1u << threadIdx.x) - 1))] = in[i];
        slot += __popc(votes);
    }
    if (threadIdx.x == 0)
        *count = slot;
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    flags_kernel<<<1, 1024>>>(in, flags, n);
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    scatter_kernel<<<1, 1024>>>(in, flags, slots, out, n);
}

size_t compact(const int *in, int *out, size_t n)
{
    unsigned *on_device, count;
    cudaMalloc(&on_device, sizeof *on_device);
    compact_kernel<<<1, 32>>>(in, out, n, on_device);
    cudaMemcpy(&count, on_device, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(on_device);
    return count;
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return compact(in, out, n);
}
