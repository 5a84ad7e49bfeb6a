/* As many bytes as there are threads, where as many elements are meant; and a size that is no multiple of an element's.
 * The third is right, but for a guard. */
__global__ void fill(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = i;
}

__global__ void fill_more(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = i;
}

__global__ void fill_unguarded(double *data)
{
    data[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *ints, host[64];
    double *doubles;
    cudaMalloc(&ints, 64);
    if (cudaMemcpy(ints, host, 64 * sizeof(int), cudaMemcpyHostToDevice) != cudaErrorInvalidValue)
        return 1;
    fill<<<2, 32>>>(ints, 64);
    if (cudaDeviceSynchronize() != cudaErrorIllegalAddress || cudaDeviceReset() != cudaSuccess)
        return 1;
    cudaMalloc(&ints, 30);
    fill_more<<<2, 32>>>(ints, 30);
    if (cudaDeviceReset() != cudaSuccess)
        return 1;
    cudaMalloc(&doubles, 40 * sizeof(double));
    fill_unguarded<<<1, 64>>>(doubles);
    return cudaDeviceReset() != cudaSuccess;
}
