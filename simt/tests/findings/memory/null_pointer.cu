__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    set<<<1, 32>>>(NULL);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
