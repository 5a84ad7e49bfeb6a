/* A histogram whose bins nobody has set to 0, in shared and in global memory. */
__global__ void count(const unsigned char *in, unsigned *bins, unsigned *total)
{
    __shared__ unsigned own[4];
    atomicAdd(&own[in[threadIdx.x] % 4], 1u);
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
    if (threadIdx.x == 0)
        atomicMax(total, 32u);
}

int main()
{
    unsigned char *in;
    unsigned *bins, *total;
    cudaMalloc(&in, 32);
    cudaMalloc(&bins, 4 * sizeof *bins);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(in, 1, 32);
    cudaMemset(total, 0, sizeof *total);
    count<<<1, 32>>>(in, bins, total);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(bins);
    cudaFree(total);
    return error != cudaSuccess;
}
