__global__ void reverse(int *data, int n)
{
    __shared__ int tile[32];
    if (threadIdx.x >= n)
        return;
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    reverse<<<1, 32>>>(data, 20);
    return cudaDeviceSynchronize() != cudaSuccess;
}
