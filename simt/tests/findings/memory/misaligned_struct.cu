/* For g++ these are two stores of 4 bytes, for nvcc one of 8. */
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

//= misaligned_struct.cu:8  store: misaligned write: 4 bytes past a multiple of 8
//=     thread 1 of block 0 writes 8 bytes; the address must be a multiple of 8
//=     the kernel ends here
//=     try: a vector type such as float4 needs an index that is a multiple of its length
