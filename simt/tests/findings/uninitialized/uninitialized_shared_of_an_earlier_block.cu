/* Shared memory is a block's own: what block 0 has set, block 1 does not find. */
__global__ void scale(int *out)
{
    __shared__ int factor;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        factor = 3;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = factor;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    scale<<<2, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
