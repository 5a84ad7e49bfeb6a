__global__ void set(int *data)
{
    extern __shared__ int tile[];
    __shared__ int more[1024];
    tile[threadIdx.x] = more[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = tile[31 - threadIdx.x] + more[31 - threadIdx.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    set<<<1, 32, 48 * 1024>>>(data);
    return cudaGetLastError() != cudaErrorInvalidValue;
}
