/* Only the index is wrong: an array in shared memory is aligned for float4, whatever is declared before it. */
__global__ void quad(float *out)
{
    __shared__ float before[5];
    __shared__ float tile[12];
    if (threadIdx.x < 12)
        tile[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 5)
        before[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 2)
        ((float4 *)out)[threadIdx.x] = reinterpret_cast<float4 *>(tile + 1)[threadIdx.x];
    if (threadIdx.x == 0)
        out[8] = before[4];
}

int main()
{
    float *out;
    cudaMalloc(&out, 3 * sizeof(float4));
    quad<<<1, 32>>>(out);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}

//= misaligned_in_shared_memory.cu:12  quad: misaligned read: 4 bytes past a multiple of 16
//=     thread 0 of block 0 reads 16 bytes; the address must be a multiple of 16
//=     the kernel ends here
//=     try: a vector type such as float4 needs an index that is a multiple of its length
