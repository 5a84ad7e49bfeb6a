__global__ void stuck(int *data)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    stuck<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
