/* The address in + 1 is not a multiple of 8 bytes. */
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

//= misaligned_vector.cu:5  pair: misaligned read: 4 bytes past a multiple of 8
//=     thread 0 of block 0 reads 8 bytes; the address must be a multiple of 8
//=     the kernel ends here
//=     try: a vector type such as float4 needs an index that is a multiple of its length
