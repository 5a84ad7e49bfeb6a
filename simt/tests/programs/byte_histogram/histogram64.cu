#include <assert.h>
#include "common/per_thread.cuh"

__global__ void histogram64Kernel(uint *d_Histogram, const data_t *d_Data, uint dataCount)
{
    //Per-thread histogram storage
    __shared__ uchar s_Hist[HISTOGRAM64_THREADBLOCK_SIZE * HISTOGRAM64_BIN_COUNT];
    uchar *s_ThreadBase = s_Hist + threadIdx.x;

    //Initialize shared memory (writing 32-bit words)
    #pragma unroll
    for (uint i = 0; i < (HISTOGRAM64_BIN_COUNT / 4); i++)
        ((uint *)s_Hist)[threadIdx.x + i * HISTOGRAM64_THREADBLOCK_SIZE] = 0;
    __syncthreads();

    for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount; pos += UMUL(blockDim.x, gridDim.x)) {
        data_t data = d_Data[pos];
        addWord(s_ThreadBase, data.x);
        addWord(s_ThreadBase, data.y);
        addWord(s_ThreadBase, data.z);
        addWord(s_ThreadBase, data.w);
    }
    __syncthreads();

    if (threadIdx.x < HISTOGRAM64_BIN_COUNT) {
        const uchar *s_HistBase = s_Hist + UMUL(threadIdx.x, HISTOGRAM64_THREADBLOCK_SIZE);
        uint sum = 0;
        uint pos = 4 * (threadIdx.x & (WARP_SIZE / 2 - 1));
        #pragma unroll
        for (uint i = 0; i < (HISTOGRAM64_THREADBLOCK_SIZE / 4); i++) {
            sum += s_HistBase[pos + 0] + s_HistBase[pos + 1] + s_HistBase[pos + 2] + s_HistBase[pos + 3];
            pos = (pos + 4) & (HISTOGRAM64_THREADBLOCK_SIZE - 1);
        }
        atomicAdd(d_Histogram + threadIdx.x, sum);
    }
}

extern "C" void histogram64(uint *d_Histogram, const void *d_Data, uint byteCount)
{
    assert(byteCount % sizeof(data_t) == 0);
    cudaMemset(d_Histogram, 0, HISTOGRAM64_BIN_COUNT * sizeof(uint));
    histogram64Kernel<<<3, HISTOGRAM64_THREADBLOCK_SIZE>>>(d_Histogram, (const data_t *)d_Data, byteCount / sizeof(data_t));
}
