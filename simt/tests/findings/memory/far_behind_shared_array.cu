__global__ void gather(int *out, int from)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int *at    = tile;
    out[threadIdx.x] = at[from + threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    gather<<<1, 32>>>(out, 1000);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
