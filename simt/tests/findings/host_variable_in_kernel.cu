int table[4] = {1, 2, 3, 4};

__global__ void look_up(int *out)
{
    out[threadIdx.x] = table[threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    look_up<<<1, 4>>>(out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
