/* The stride of the loop is 0 for n = 1. */
__global__ void spin(int *data, int n)
{
    for (int i = 0; i < 10; i += n / 2) data[i] = i;
}

int main()
{
    int *data;
    cudaMalloc(&data, 16 * sizeof(int));
    spin<<<1, 1>>>(data, 1);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
