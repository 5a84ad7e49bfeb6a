/* atomicAdd_block is atomic for the threads of one block; two blocks use the same counter. */
#include <cuda_runtime.h>

__global__ void count(int *total)
{
    atomicAdd_block(total, 1);
}

int main()
{
    int *total;
    cudaMalloc(&total, sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    count<<<2, 32>>>(total);
    return cudaDeviceSynchronize();
}
