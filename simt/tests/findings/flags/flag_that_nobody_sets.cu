__global__ void wait(volatile int *flag, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    __syncthreads();
    out[threadIdx.x] = 1;
}

int main()
{
    int *flag, *out;
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    wait<<<1, 64>>>(flag, out);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
