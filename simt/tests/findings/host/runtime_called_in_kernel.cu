__global__ void allocate(int **data)
{
    cudaMalloc(data, 128);
}

int main()
{
    int **data;
    cudaMalloc(&data, sizeof *data);
    allocate<<<1, 1>>>(data);
    return cudaDeviceSynchronize() == cudaSuccess;
}
