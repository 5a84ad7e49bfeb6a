#include "reduction.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define MIN(x, y) ((x < y) ? x : y)

enum ReduceType { REDUCE_INT, REDUCE_FLOAT, REDUCE_DOUBLE };

static void getNumBlocksAndThreads(int whichKernel, int n, int maxBlocks, int maxThreads, int &blocks, int &threads)
{
    threads = maxThreads;
    blocks  = whichKernel < 3 ? (n + threads - 1) / threads : (n + (threads * 2 - 1)) / (threads * 2);
    if (whichKernel == 6)
        blocks = MIN(maxBlocks, blocks);
}

template <class T> static bool runTest(const char *name, int size, int whichKernel, int maxThreads)
{
    int numBlocks = 0, numThreads = 0;
    T *h_idata = (T *)malloc(size * sizeof(T)), expected = 0, gpu_result = 0;
    for (int i = 0; i < size; i++)
        expected += h_idata[i] = (T)(i * 101 & 0xF);
    getNumBlocksAndThreads(whichKernel, size, 5, maxThreads, numBlocks, numThreads);
    T *h_odata = (T *)malloc(numBlocks * sizeof(T)), *d_idata = NULL, *d_odata = NULL;
    cudaMalloc((void **)&d_idata, size * sizeof(T));
    cudaMalloc((void **)&d_odata, numBlocks * sizeof(T));
    cudaMemcpy(d_idata, h_idata, size * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T>(size, numThreads, numBlocks, whichKernel, d_idata, d_odata);
    cudaMemcpy(h_odata, d_odata, numBlocks * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < numBlocks; i++)
        gpu_result += h_odata[i];
    free(h_idata);
    free(h_odata);
    cudaFree(d_idata);
    cudaFree(d_odata);
    std::printf("reduce%d<%s> n=%d threads=%d: %.0f\n", whichKernel, name, size, maxThreads, (double)gpu_result);
    return gpu_result == expected;
}

int main(int argc, char **argv)
{
    bool bResult = true;
    int kernels[] = {0, 1, 2, 3, 5, 6};
    for (int which : kernels) {
        bResult &= runTest<int>("int", 2048, which, 128);
        bResult &= runTest<float>("float", 1999, which, 64);
        bResult &= runTest<double>("double", 700, which, which % 2 ? 32 : 256);
    }
    puts(bResult ? "PASS" : "FAIL");
    return bResult ? EXIT_SUCCESS : EXIT_FAILURE;
}
