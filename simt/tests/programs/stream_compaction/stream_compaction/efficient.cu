#include <cuda.h>
#include <cuda_runtime.h>
#include "common.h"
#include "efficient.h"

#define blockSize 128

namespace StreamCompaction {
namespace Efficient {

using StreamCompaction::Common::PerformanceTimer;

PerformanceTimer &timer()
{
    static PerformanceTimer timer;
    return timer;
}

/* Thread k adds at the k-th node of its level: only the active threads are launched. */
__global__ void kernUpSweep(int nodes, int stride, int *data)
{
    int k = (blockIdx.x * blockDim.x) + threadIdx.x;
    if (k >= nodes)
        return;
    int right = (k + 1) * stride * 2 - 1;
    data[right] += data[right - stride];
}

__global__ void kernDownSweep(int nodes, int stride, int *data)
{
    int k = (blockIdx.x * blockDim.x) + threadIdx.x;
    if (k >= nodes)
        return;
    int right = (k + 1) * stride * 2 - 1;
    int left = data[right - stride];
    data[right - stride] = data[right];
    data[right] += left;
}

static void scanDevice(int paddedN, int *dev_data)
{
    for (int stride = 1; stride < paddedN; stride *= 2) {
        int nodes = paddedN / (2 * stride);
        kernUpSweep<<<(nodes + blockSize - 1) / blockSize, blockSize>>>(nodes, stride, dev_data);
    }
    cudaMemset(dev_data + paddedN - 1, 0, sizeof(int));
    for (int stride = paddedN / 2; stride >= 1; stride /= 2) {
        int nodes = paddedN / (2 * stride);
        kernDownSweep<<<(nodes + blockSize - 1) / blockSize, blockSize>>>(nodes, stride, dev_data);
    }
    checkCUDAError("scan failed!");
}

void scan(int n, int *odata, const int *idata)
{
    const int paddedN = 1 << ilog2ceil(n);
    int *dev_data;
    cudaMalloc((void **)&dev_data, paddedN * sizeof(int));
    cudaMemset(dev_data, 0, paddedN * sizeof(int));
    cudaMemcpy(dev_data, idata, n * sizeof(int), cudaMemcpyHostToDevice);

    timer().startGpuTimer();
    scanDevice(paddedN, dev_data);
    timer().endGpuTimer();

    cudaMemcpy(odata, dev_data, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dev_data);
}

int compact(int n, int *odata, const int *idata)
{
    const int paddedN = 1 << ilog2ceil(n);
    const dim3 fullBlocksPerGrid((n + blockSize - 1) / blockSize);
    int *dev_idata, *dev_odata, *dev_bools, *dev_indices;
    cudaMalloc((void **)&dev_idata, n * sizeof(int));
    cudaMalloc((void **)&dev_odata, n * sizeof(int));
    cudaMalloc((void **)&dev_bools, n * sizeof(int));
    cudaMalloc((void **)&dev_indices, paddedN * sizeof(int));
    checkCUDAError("cudaMalloc failed!");
    cudaMemcpy(dev_idata, idata, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(dev_indices, 0, paddedN * sizeof(int));

    timer().startGpuTimer();
    StreamCompaction::Common::kernMapToBoolean<<<fullBlocksPerGrid, blockSize>>>(n, dev_bools, dev_idata);
    cudaMemcpy(dev_indices, dev_bools, n * sizeof(int), cudaMemcpyDeviceToDevice);
    scanDevice(paddedN, dev_indices);
    StreamCompaction::Common::kernScatter<<<fullBlocksPerGrid, blockSize>>>(n, dev_odata, dev_idata, dev_bools, dev_indices);
    timer().endGpuTimer();

    int lastIndex, lastBool;
    cudaMemcpy(&lastIndex, dev_indices + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&lastBool, dev_bools + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    const int count = lastIndex + lastBool;
    cudaMemcpy(odata, dev_odata, count * sizeof(int), cudaMemcpyDeviceToHost);
    checkCUDAError("compact failed!");
    cudaFree(dev_idata);
    cudaFree(dev_odata);
    cudaFree(dev_bools);
    cudaFree(dev_indices);
    return count;
}

} // namespace Efficient
} // namespace StreamCompaction
