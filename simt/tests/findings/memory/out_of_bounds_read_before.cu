/* Thread 0 reads the element before the first. */
__global__ void shift(const int *in, int *out)
{
    out[threadIdx.x] = in[(int)threadIdx.x - 1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    shift<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
