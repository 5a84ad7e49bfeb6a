/* The guard compares with <= and lets one thread too many through. */
__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = i;
}

int main()
{
    int *out;
    cudaMalloc(&out, 33 * sizeof(int));
    fill<<<2, 32>>>(out, 33);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
