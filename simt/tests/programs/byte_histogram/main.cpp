/* Byte histograms with 64 and 256 bins, as in the SDK's sample: a byte array in shared memory is cleared as words. */
#include "common/histogram_common.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    uchar *h_Data;
    uint *h_HistogramCPU, *h_HistogramGPU, *d_Histogram, byteCount = 16 * 1024;
    uchar *d_Data;
    int PassFailFlag = 1;

    h_Data = (uchar *)malloc(byteCount);
    h_HistogramCPU = (uint *)malloc(HISTOGRAM256_BIN_COUNT * sizeof(uint));
    h_HistogramGPU = (uint *)malloc(HISTOGRAM256_BIN_COUNT * sizeof(uint));
    uint x = 2009;
    for (uint i = 0; i < byteCount; i++)
        h_Data[i] = (x = x * 69069u + 5u) >> 24;
    cudaMalloc((void **)&d_Data, byteCount);
    cudaMalloc((void **)&d_Histogram, HISTOGRAM256_BIN_COUNT * sizeof(uint));
    cudaMemcpy(d_Data, h_Data, byteCount, cudaMemcpyHostToDevice);

    histogram64(d_Histogram, d_Data, byteCount);
    cudaMemcpy(h_HistogramGPU, d_Histogram, HISTOGRAM64_BIN_COUNT * sizeof(uint), cudaMemcpyDeviceToHost);
    histogram64CPU(h_HistogramCPU, h_Data, byteCount);
    for (uint i = 0; i < HISTOGRAM64_BIN_COUNT; i++)
        if (h_HistogramGPU[i] != h_HistogramCPU[i])
            PassFailFlag = 0;
    printf("64 bins: %u in the first, %s\n", h_HistogramGPU[0], PassFailFlag ? "match" : "do not match");

    initHistogram256();
    for (int iter = -1; iter < 2; iter++)
        histogram256(d_Histogram, d_Data, byteCount);
    cudaMemcpy(h_HistogramGPU, d_Histogram, HISTOGRAM256_BIN_COUNT * sizeof(uint), cudaMemcpyDeviceToHost);
    histogram256CPU(h_HistogramCPU, h_Data, byteCount);
    for (uint i = 0; i < HISTOGRAM256_BIN_COUNT; i++)
        if (h_HistogramGPU[i] != h_HistogramCPU[i])
            PassFailFlag = 0;
    printf("256 bins: %u in the first, %s\n", h_HistogramGPU[0], PassFailFlag ? "match" : "do not match");
    closeHistogram256();

    cudaFree(d_Histogram);
    cudaFree(d_Data);
    free(h_HistogramGPU), free(h_HistogramCPU), free(h_Data);
    puts(PassFailFlag ? "PASS" : "FAIL");
    return !PassFailFlag;
}
