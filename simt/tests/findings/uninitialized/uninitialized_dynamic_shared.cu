/* The array is twice as long as the part that is loaded. */
extern __shared__ int buffer[];

__global__ void pairs(int *out)
{
    unsigned t = threadIdx.x;
    buffer[t] = (int)t;
    __syncthreads();
    out[t] = buffer[2 * t] + buffer[2 * t + 1];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    pairs<<<1, 32, 64 * sizeof(int)>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= uninitialized_dynamic_shared.cu:9  pairs: read of uninitialized dynamic shared memory, byte 128
//=     thread 16 of block 0 reads 4 bytes that nothing has written since the block began
//=     written so far: bytes 0-127 of the 256 of dynamic shared memory
//=     try: is this the index that is meant? Then some thread must store this element first, past the end of the input a value that changes no result, with a __syncthreads() between that store and this read
