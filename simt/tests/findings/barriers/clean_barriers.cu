/* Barriers in a uniform branch and a uniform loop, and threads that return after the last one. */
__global__ void steps(int *data, int n)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    for (int stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        int left = threadIdx.x >= stride ? tile[threadIdx.x - stride] : 0;
        __syncthreads();
        tile[threadIdx.x] += left;
    }
    if (n > 32)
        __syncthreads();
    if (threadIdx.x >= n)
        return;
    data[threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    int host[64], *data;
    for (int i = 0; i < 64; i++)
        host[i] = 1;
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    steps<<<1, 64>>>(data, 40);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(data);
    return host[39] != 40 || host[40] != 1;
}

//= (nothing)
