__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 2048 * sizeof(int));
    set<<<1, 2048>>>(data);
    return cudaGetLastError() != cudaErrorInvalidValue || cudaDeviceSynchronize() != cudaSuccess;
}
