/* g++ itself sees that the address is no multiple of 16, and calls for no plain access. */
__global__ void quad(float *out)
{
    __shared__ alignas(16) float tile[8];
    if (threadIdx.x < 8)
        tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *(float4 *)out = *reinterpret_cast<float4 *>(tile + 2);
}

int main()
{
    float *out;
    cudaMalloc(&out, sizeof(float4));
    quad<<<1, 32>>>(out);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
