/* Host code reads managed memory while the kernel that writes it may still run. */
#include <cuda_runtime.h>

__global__ void produce(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMallocManaged(&data, 32 * sizeof(int));
    produce<<<1, 32>>>(data);
    int early = data[3];
    cudaDeviceSynchronize();
    return early - data[3];
}
