/* All blocks wait for each other, but not all of them fit the device at once. */
__device__ volatile int arrived;

__global__ void phases(int *data)
{
    data[blockIdx.x] = 1;
    atomicAdd((int *)&arrived, 1);
    while (arrived < gridDim.x)
        ;
    data[blockIdx.x] += data[(blockIdx.x + 1) % gridDim.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 100 * sizeof(int));
    phases<<<100, 1>>>(data);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
