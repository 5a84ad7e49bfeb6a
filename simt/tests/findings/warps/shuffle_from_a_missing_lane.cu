__global__ void sum(int *out)
{
    int value = 1;
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x == 0)
        *out = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    sum<<<1, 24>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
