/* Shared memory belongs to one block: block 1 does not find what block 0 has set. */
__global__ void scale(int *out)
{
    __shared__ int factor;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        factor = 3;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = factor;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    scale<<<2, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= uninitialized_shared_of_an_earlier_block.cu:8  scale: read of uninitialized shared factor
//=     thread 0 of block 1 reads 4 bytes that nothing has written since the block began
//=     try: shared memory begins as junk, not 0: let one thread set it, and all wait at a __syncthreads()
