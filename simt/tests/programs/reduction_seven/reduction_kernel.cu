/* Parallel reduction kernels, 0 to 6, instantiated here for the files that link with this one. */
#include <stdio.h>
#include "reduction.h"

bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }

/* interleaved addressing, divergent */
template <class T> __global__ void reduce0(T *g_idata, T *g_odata, unsigned int n)
{
    extern __shared__ unsigned char storage[];
    T *sdata = reinterpret_cast<T *>(storage);
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

/* interleaved, with bank conflicts */
template <class T> __global__ void reduce1(T *g_idata, T *g_odata, unsigned int n)
{
    extern __shared__ unsigned char storage[];
    T *sdata = reinterpret_cast<T *>(storage);
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

/* sequential addressing, half of the threads idle */
template <class T> __global__ void reduce2(T *g_idata, T *g_odata, unsigned int n)
{
    extern __shared__ unsigned char storage[];
    T *sdata = reinterpret_cast<T *>(storage);
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

/* first add during the load */
template <class T> __global__ void reduce3(T *g_idata, T *g_odata, unsigned int n)
{
    extern __shared__ unsigned char storage[];
    T *sdata = reinterpret_cast<T *>(storage);
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    T mySum = (i < n) ? g_idata[i] : 0;
    if (i + blockDim.x < n)
        mySum += g_idata[i + blockDim.x];
    sdata[tid] = mySum;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] = mySum = mySum + sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

/* the last warp unrolled: volatile was once enough, but now __syncwarp separates the steps */
template <class T, unsigned int blockSize> __device__ __forceinline__ void warpReduce(volatile T *sdata, unsigned int tid)
{
#define STEP(distance) { T other = sdata[tid + distance]; __syncwarp(); sdata[tid] += other; __syncwarp(); }
    if (blockSize >= 64) STEP(32)
    if (blockSize >= 32) STEP(16)
    if (blockSize >= 16) STEP(8)
    if (blockSize >=  8) STEP(4)
    if (blockSize >=  4) STEP(2)
    if (blockSize >=  2) STEP(1)
#undef STEP
}

/* completely unrolled; 5 reads two elements per thread, 6 as many as there are */
template <class T, unsigned int blockSize, bool many, bool nIsPow2>
__global__ void reduce56(T *g_idata, T *g_odata, unsigned int n)
{
    extern __shared__ unsigned char storage[];
    T *sdata = reinterpret_cast<T *>(storage);
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x, gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        if (!many) break;
        i += gridSize;
    }
    sdata[tid] = mySum;
    if (blockSize < 64) sdata[tid + blockSize] = 0;
    __syncthreads();
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid <  64) { sdata[tid] += sdata[tid +  64]; } __syncthreads(); }
    if (tid < 32) warpReduce<T, blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata)
{
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    // with only one warp per block, a warp reads past the sums: allocate memory for two warps
    int smemSize = (threads <= 32) ? 3 * threads * sizeof(T) : threads * sizeof(T);

#define CASE(n, many, pow2) case n: reduce56<T, n, many, pow2><<< dimGrid, dimBlock, smemSize >>>(d_idata, d_odata, size); break;
#define ALL(many, pow2) switch (threads) { CASE(256, many, pow2) CASE(128, many, pow2) CASE(64, many, pow2) CASE(32, many, pow2) }
    switch (whichKernel) {
    case 0: reduce0<T><<< dimGrid, dimBlock, smemSize >>>(d_idata, d_odata, size); break;
    case 1: reduce1<T><<< dimGrid, dimBlock, smemSize >>>(d_idata, d_odata, size); break;
    case 2: reduce2<T><<< dimGrid, dimBlock, smemSize >>>(d_idata, d_odata, size); break;
    case 3: reduce3<T><<< dimGrid, dimBlock, smemSize >>>(d_idata, d_odata, size); break;
    case 5: ALL(false, false) break;
    default:
        if (isPow2(size)) ALL(true, true) else ALL(true, false)
    }
}

// Instantiate the reduction function for 3 types
template void reduce<int>(int size, int threads, int blocks, int whichKernel, int *d_idata, int *d_odata);
template void reduce<float>(int size, int threads, int blocks, int whichKernel, float *d_idata, float *d_odata);
template void reduce<double>(int size, int threads, int blocks, int whichKernel, double *d_idata, double *d_odata);
