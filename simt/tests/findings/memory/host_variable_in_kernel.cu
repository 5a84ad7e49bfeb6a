int table[4] = {1, 2, 3, 4};

__global__ void look_up(const int *table, int *out)
{
    out[threadIdx.x] = table[threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    look_up<<<1, 4>>>(table, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
