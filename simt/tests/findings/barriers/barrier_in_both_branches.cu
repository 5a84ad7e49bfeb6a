__global__ void exchange(int *data)
{
    __shared__ int tile[32];
    if (threadIdx.x % 2 == 0) {
        tile[threadIdx.x] = data[threadIdx.x];
        __syncthreads();
    } else {
        tile[threadIdx.x] = -data[threadIdx.x];
        __syncthreads();
    }
    data[threadIdx.x] = tile[threadIdx.x ^ 1];
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    exchange<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaSuccess;
}
