/* The tail of a reduction: only the first warp's lower half comes to the shuffle that names all. */
__global__ void reduce(int *out)
{
    __shared__ int sums[64];
    unsigned t = threadIdx.x;
    sums[t] = 1;
    __syncthreads();
    int value = sums[t];
    if (t < 16)
        value += __shfl_down_sync(0xffffffffu, value, 8);
    __syncthreads();
    out[t] = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    reduce<<<1, 64>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error == cudaSuccess;
}
