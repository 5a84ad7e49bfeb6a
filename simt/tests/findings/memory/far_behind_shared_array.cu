__global__ void gather(int *out, int from)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int *at    = tile;
    out[threadIdx.x] = at[from + threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    gather<<<1, 32>>>(out, 1000);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= far_behind_shared_array.cu:7  gather: read out of bounds: behind shared tile[31]
//=     thread 0 of block 0 reads 4 bytes; it is 3872 bytes behind all of the block's shared memory
//=     the kernel ends here
//=     try: is the shared array large enough for the block?
