#include <cub/device/device_scan.cuh>
#include <cstdio>

#include "sums.cuh"

static const int N = 128;

int main()
{
    int *in, *out;
    cudaMalloc(&in, N * sizeof(int));
    cudaMalloc(&out, (N + 1) * sizeof(int));
    cudaMemset(in, 0, N * sizeof(int));
    sum_and_scan<N><<<1, N>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));

    void *storage = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::InclusiveSum(storage, bytes, in, out, N + 1);
    cudaMalloc(&storage, bytes);
    cub::DeviceScan::InclusiveSum(storage, bytes, in, out, N + 1);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
