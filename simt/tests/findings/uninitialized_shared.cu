/* Threads past the end of the input leave their slots as they are; then everybody reads. */
__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int tile[32];
    unsigned t = threadIdx.x;
    if (t < n)
        tile[t] = in[t];
    __syncthreads();
    int sum = 0;
    for (unsigned i = 0; i < 32; i++)
        sum += tile[i];
    out[t] = sum;
}

int main()
{
    int *in, *out, host[20] = {0};
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 32>>>(in, out, 20);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return error != cudaSuccess;
}
