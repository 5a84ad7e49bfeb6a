__global__ void spin(int *data, unsigned n)
{
    for (unsigned i = 0; i != 7; i += n) asm volatile("");
    data[0] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 16 * sizeof(int));
    spin<<<1, 1>>>(data, 2);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
