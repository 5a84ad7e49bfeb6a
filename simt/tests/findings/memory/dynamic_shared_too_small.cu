/* The launch gives the number of elements where bytes are meant. */
__global__ void reverse(int *data)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    reverse<<<1, 64, 64>>>(data);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
