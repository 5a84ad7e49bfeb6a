#include "kernels.h"
#include "parts/twice.cuh"

int doubled(int number)
{
    int *at, result = 0;
    cudaMalloc(&at, sizeof *at);
    twice<<<1, 1>>>(number, at);
    cudaMemcpy(&result, at, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(at);
    return result;
}
