/* peers.cu: see peers.h. */
#include "peers.h"

#include <cub/cub.cuh>

/* Calls run(scratch, bytes) twice, as CUB's functions want it: first to ask for the bytes. The scratch memory stays for
 * the next call, so that after the first of a length no call allocates: CUB at its best. */
template <class Run> static void with_scratch(Run run)
{
    static void *scratch;
    static size_t held;
    size_t bytes = 0;
    run(nullptr, bytes);
    if (bytes > held) {
        cudaFree(scratch);
        cudaMalloc(&scratch, bytes);
        held = bytes;
    }
    run(scratch, bytes);
}

void peer_reduce(const int *in, int *out, size_t n)
{
    with_scratch([=](void *scratch, size_t &bytes) { cub::DeviceReduce::Sum(scratch, bytes, in, out, n); });
}

void peer_scan(const int *in, int *out, size_t n)
{
    with_scratch(
        [=](void *scratch, size_t &bytes) { cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n); });
}

struct is_kept {
    __host__ __device__ __forceinline__ bool operator()(int x) const
    {
        return x != 0;
    }
};

size_t peer_compact(const int *in, int *out, size_t n)
{
    static size_t *selected; /* on the device; one for the process */
    size_t count = 0;
    if (!selected)
        cudaMalloc(&selected, sizeof *selected);
    with_scratch([=](void *scratch, size_t &bytes) {
        cub::DeviceSelect::If(scratch, bytes, in, out, selected, n, is_kept());
    });
    cudaMemcpy(&count, selected, sizeof count, cudaMemcpyDeviceToHost);
    return count;
}

void peer_sort(const unsigned *in, unsigned *out, size_t n)
{
    with_scratch(
        [=](void *scratch, size_t &bytes) { cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n); });
}
