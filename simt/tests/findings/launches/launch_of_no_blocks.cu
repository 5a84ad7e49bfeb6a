__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data, n = 0;
    cudaMalloc(&data, sizeof(int));
    set<<<(n + 31) / 32, 32>>>(data);
    return cudaGetLastError() != cudaErrorInvalidValue;
}
