/* The output is added to as if it began as 0. */
__global__ void accumulate(const int *in, int *sums)
{
    sums[threadIdx.x] += in[threadIdx.x];
}

int main()
{
    int *in, *sums;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&sums, 32 * sizeof *sums);
    cudaMemset(in, 0, 32 * sizeof *in);
    accumulate<<<1, 32>>>(in, sums);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(sums);
    return error != cudaSuccess;
}
