#include "common/histogram_common.h"

// Each warp counts in a histogram of its own; a second kernel merges the blocks' histograms.
static const uint PARTIAL_HISTOGRAM256_COUNT = 6;
static uint *d_PartialHistograms;

inline __device__ void addByte(uint *s_WarpHist, uint data) { atomicAdd(s_WarpHist + data, 1); }
inline __device__ void addWord(uint *s_WarpHist, uint data)
{
    addByte(s_WarpHist, (data >> 0) & 0xFFU), addByte(s_WarpHist, (data >> 8) & 0xFFU);
    addByte(s_WarpHist, (data >> 16) & 0xFFU), addByte(s_WarpHist, (data >> 24) & 0xFFU);
}

__global__ void histogram256Kernel(uint *d_PartialHistograms, const uint *d_Data, uint dataCount)
{
    __shared__ uint s_Hist[WARP_COUNT * HISTOGRAM256_BIN_COUNT];
    uint *s_WarpHist = s_Hist + (threadIdx.x >> LOG2_WARP_SIZE) * HISTOGRAM256_BIN_COUNT;

    #pragma unroll
    for (uint i = 0; i < (WARP_COUNT * HISTOGRAM256_BIN_COUNT / HISTOGRAM256_THREADBLOCK_SIZE); i++)
        s_Hist[threadIdx.x + i * HISTOGRAM256_THREADBLOCK_SIZE] = 0;
    __syncthreads();

    for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount; pos += UMUL(blockDim.x, gridDim.x))
        addWord(s_WarpHist, d_Data[pos]);
    __syncthreads();

    for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += HISTOGRAM256_THREADBLOCK_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < WARP_COUNT; i++)
            sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT];
        d_PartialHistograms[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = sum;
    }
}

#define MERGE_THREADBLOCK_SIZE 8
__global__ void mergeHistogram256Kernel(uint *d_Histogram, const uint *d_PartialHistograms, uint histogramCount)
{
    uint sum = 0;
    for (uint i = threadIdx.x; i < histogramCount; i += MERGE_THREADBLOCK_SIZE)
        sum += d_PartialHistograms[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
    __shared__ uint data[MERGE_THREADBLOCK_SIZE];
    data[threadIdx.x] = sum;
    for (uint stride = MERGE_THREADBLOCK_SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            data[threadIdx.x] += data[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        d_Histogram[blockIdx.x] = data[0];
}

extern "C" void initHistogram256(void)
{
    cudaMalloc((void **)&d_PartialHistograms, PARTIAL_HISTOGRAM256_COUNT * HISTOGRAM256_BIN_COUNT * sizeof(uint));
}
extern "C" void closeHistogram256(void)
{
    cudaFree(d_PartialHistograms);
}
extern "C" void histogram256(uint *d_Histogram, const void *d_Data, uint byteCount)
{
    histogram256Kernel<<<PARTIAL_HISTOGRAM256_COUNT, HISTOGRAM256_THREADBLOCK_SIZE>>>(d_PartialHistograms, (uint *)d_Data, byteCount / sizeof(uint));
    mergeHistogram256Kernel<<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(d_Histogram, d_PartialHistograms, PARTIAL_HISTOGRAM256_COUNT);
}
