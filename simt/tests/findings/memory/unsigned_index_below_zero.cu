/* 0u - 1 is 4294967295: 16 GiB behind the array, among addresses that no allocation has. */
__global__ void last(const unsigned *slots, int *out)
{
    out[slots[threadIdx.x] - 1] = 7;
}

int main()
{
    unsigned *slots;
    int *out;
    cudaMalloc(&slots, 32 * sizeof *slots);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(slots, 0, 32 * sizeof *slots);
    last<<<1, 32>>>(slots, out);
    cudaDeviceSynchronize();
    cudaFree(slots);
    cudaFree(out);
}
