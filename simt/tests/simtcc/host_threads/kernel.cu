__global__ void mirror(int *out, int id)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = id * 100 + threadIdx.x;
    __syncthreads();
    out[63 - threadIdx.x] = tile[threadIdx.x];
}

/* One of several threads of the host, each with memory of its own. */
void launch(int *out, int id)
{
    int *copy;
    cudaMalloc(&copy, 64 * sizeof *copy);
    mirror<<<1, 64>>>(copy, id);
    cudaMemcpy(out, copy, 64 * sizeof *copy, cudaMemcpyDeviceToHost);
    cudaFree(copy);
}
