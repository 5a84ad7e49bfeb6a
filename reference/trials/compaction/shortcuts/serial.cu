/* serial: one thread goes through the array, in every function.
 *
 * parts: map_to_boolean scatter compact compact_warp
 * says: one thread does */
#include "compaction.h"

__global__ void flags_kernel(const int *in, unsigned *flags, size_t n)
{
    for (size_t i = 0; i < n; i++)
        flags[i] = keep(in[i]);
}

__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (flags[i])
            out[slots[i]] = in[i];
}

__global__ void compact_kernel(const int *in, int *out, size_t n, unsigned *count)
{
    unsigned slot = 0;
    for (size_t i = 0; i < n; i++)
        if (keep(in[i]))
            out[slot++] = in[i];
    *count = slot;
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    flags_kernel<<<1, 1>>>(in, flags, n);
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    scatter_kernel<<<1, 1>>>(in, flags, slots, out, n);
}

size_t compact(const int *in, int *out, size_t n)
{
    unsigned *on_device, count;
    cudaMalloc(&on_device, sizeof *on_device);
    compact_kernel<<<1, 1>>>(in, out, n, on_device);
    cudaMemcpy(&count, on_device, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(on_device);
    return count;
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return compact(in, out, n);
}
