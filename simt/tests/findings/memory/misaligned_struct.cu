/* Two stores of 4 bytes to g++, one of 8 to nvcc. */
struct alignas(8) pair {
    unsigned first, second;
};

__global__ void store(unsigned *out)
{
    *(pair *)(void *)&out[threadIdx.x] = pair{1, 2};
}

int main()
{
    unsigned *out;
    cudaMalloc(&out, 64 * sizeof *out);
    store<<<1, 2>>>(out);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
