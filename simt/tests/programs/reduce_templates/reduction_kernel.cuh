#include "sharedmem.cuh"

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(T *g_idata, T *g_odata, unsigned int n)
{
    SharedMemory<T> smem;
    T *sdata = smem.getPointer();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] = mySum = mySum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] = mySum = mySum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = warpSize / 2; offset > 0; offset /= 2)
            mySum += __shfl_down_sync(0xffffffffu, mySum, offset);
    }
    if (tid == 0)
        g_odata[blockIdx.x] = mySum;
}

template <class T> void launchReduce(int size, int threads, int blocks, T *d_idata, T *d_odata)
{
    dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1);
    int smemSize = threads * sizeof(T);
    bool pow2 = (size & (size - 1)) == 0;
#define CASE(count)                                                                                          \
    case count:                                                                                              \
        if (pow2)                                                                                            \
            reduce<T, count, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);                 \
        else                                                                                                 \
            reduce<T, count, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);                \
        break;
    switch (threads) {
        CASE(256)
        CASE(128)
        CASE(64)
    }
#undef CASE
}
