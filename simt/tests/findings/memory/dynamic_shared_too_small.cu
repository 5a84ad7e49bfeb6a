/* The launch passes the number of elements instead of the number of bytes. */
__global__ void reverse(int *data)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    reverse<<<1, 64, 64>>>(data);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= dynamic_shared_too_small.cu:5  reverse: write out of bounds: dynamic shared memory, byte 64
//=     thread 16 of block 0 writes 4 bytes; the launch gives the block 64 bytes
//=     the kernel ends here
//=     try: the third launch argument <<<blocks, threads, bytes>>> is in bytes
