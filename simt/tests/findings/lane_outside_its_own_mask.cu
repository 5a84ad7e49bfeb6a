__global__ void shift(int *data)
{
    data[threadIdx.x] = __shfl_up_sync(0x0000ffff, data[threadIdx.x], 1);
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    shift<<<1, 32>>>(data);
    return cudaDeviceSynchronize() == cudaSuccess;
}
