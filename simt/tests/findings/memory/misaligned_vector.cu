/* in + 1 is no multiple of 8 bytes. */
__global__ void pair(const int *in, int2 *out)
{
    const int2 *pairs = (const int2 *)(in + 1);
    out[threadIdx.x] = pairs[threadIdx.x];
}

int main()
{
    int *in;
    int2 *out;
    cudaMalloc(&in, 65 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int2));
    pair<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
