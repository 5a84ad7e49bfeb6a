__global__ void rotate(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffffu, (int)threadIdx.x, 1, 12);
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    rotate<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
