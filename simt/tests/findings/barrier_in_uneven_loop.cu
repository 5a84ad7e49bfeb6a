__global__ void steps(int *data)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 0;
    for (unsigned i = 0; i < 2 + threadIdx.x / 16; i++) {
        tile[threadIdx.x]++;
        __syncthreads();
    }
    __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    steps<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaSuccess;
}
