/* A counter that some threads add to atomically and one sets with a plain write. */
#include <cuda_runtime.h>

__global__ void count(int *total)
{
    if (threadIdx.x == 40)
        *total = 0;
    else
        atomicAdd(total, 1);
}

int main()
{
    int *total;
    cudaMalloc(&total, sizeof(int));
    count<<<1, 64>>>(total);
    return cudaDeviceSynchronize();
}
