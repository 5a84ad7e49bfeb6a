/* redundant_lanes: every lane of each warp counts all that is kept before its elements, by shuffles and plain arithmetic.
 *
 * parts: compact compact_warp
 * says: each thread does the work for itself */
#include "compaction.h"

enum { WARPS = 4 };

__global__ void compact_kernel(const int *in, int *out, size_t n, unsigned *count)
{
    const size_t share = (n + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share;
    const size_t end = blockIdx.x + 1 < gridDim.x ? begin + share : n;
    unsigned slot    = 0;
    for (size_t first = 0; first < end; first += 32) {
        const size_t i    = first + threadIdx.x;
        const int own     = i < n ? in[i] : 0;
        const unsigned is = i < n && keep(own);
        unsigned before   = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            if (lane == threadIdx.x)
                before = slot;
            slot += __shfl_sync(0xffffffffu, is, lane);
        }
        if (is && i >= begin && i < end)
            out[before] = own;
    }
    if (threadIdx.x == 0 && blockIdx.x + 1 == gridDim.x)
        *count = slot;
}

size_t compact(const int *in, int *out, size_t n)
{
    unsigned *on_device, count;
    cudaMalloc(&on_device, sizeof *on_device);
    compact_kernel<<<n < 512 ? 1 : WARPS, 32>>>(in, out, n, on_device);
    cudaMemcpy(&count, on_device, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(on_device);
    return count;
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    return compact(in, out, n);
}
