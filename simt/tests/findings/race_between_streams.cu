/* Two kernels in two streams, and no event between them. */
#include <cuda_runtime.h>

__global__ void produce(int *data)
{
    data[threadIdx.x] = 1;
}

__global__ void consume(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x];
}

int main()
{
    int *data, *out;
    cudaStream_t first, second;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    produce<<<1, 32, 0, first>>>(data);
    consume<<<1, 32, 0, second>>>(data, out);
    return cudaDeviceSynchronize();
}
