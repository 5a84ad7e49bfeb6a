#include <stdio.h>

__device__ int counter;

__global__ void count()
{
    atomicAdd(&counter, 1);
}

int main()
{
    count<<<2, 32>>>();
    cudaDeviceSynchronize();
    printf("%d\n", counter);
    return 0;
}
