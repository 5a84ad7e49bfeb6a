/* The array is twice as long as what is loaded. */
extern __shared__ int buffer[];

__global__ void pairs(int *out)
{
    unsigned t = threadIdx.x;
    buffer[t] = (int)t;
    __syncthreads();
    out[t] = buffer[2 * t] + buffer[2 * t + 1];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    pairs<<<1, 32, 64 * sizeof(int)>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
