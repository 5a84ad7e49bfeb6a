__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaFree(data);
    set<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
