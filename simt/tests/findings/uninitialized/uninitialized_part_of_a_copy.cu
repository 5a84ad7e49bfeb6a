/* Half of what is copied back was never written: a warning, as the program may know that. */
__global__ void fill(int *out)
{
    out[threadIdx.x] = 1;
}

int main()
{
    int *out, host[64];
    cudaMalloc(&out, sizeof host);
    fill<<<1, 32>>>(out);
    cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return error != cudaSuccess;
}
