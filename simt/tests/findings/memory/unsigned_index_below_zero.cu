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

//= unsigned_index_below_zero.cu:4  last: write out of bounds: out[4294967295]
//=     thread 0 of block 0 writes 4 bytes; out has 32 elements, made at unsigned_index_below_zero.cu:12
//=     the kernel ends here
//=     try: an unsigned index below 0 wraps: -1 becomes 4294967295; test it before you subtract
