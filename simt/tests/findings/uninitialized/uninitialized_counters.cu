/* A histogram whose bins are not set to 0, in shared and in global memory. */
__global__ void count(const unsigned char *in, unsigned *bins, unsigned *total)
{
    __shared__ unsigned own[4];
    atomicAdd(&own[in[threadIdx.x] % 4], 1u);
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
    if (threadIdx.x == 0)
        atomicMax(total, 32u);
}

int main()
{
    unsigned char *in;
    unsigned *bins, *total;
    cudaMalloc(&in, 32);
    cudaMalloc(&bins, 4 * sizeof *bins);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(in, 1, 32);
    cudaMemset(total, 0, sizeof *total);
    count<<<1, 32>>>(in, bins, total);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(bins);
    cudaFree(total);
    return error != cudaSuccess;
}

//= uninitialized_counters.cu:8  count: atomic operation on uninitialized bins[0]
//=     thread 0 of block 0 changes 4 bytes that nothing has written since they were allocated at uninitialized_counters.cu:18
//=     none of the 4 elements of bins is written so far
//=     try: memory begins as junk, not 0: cudaMemset it before the launch
//= uninitialized_counters.cu:5  count: atomic operation on uninitialized shared own[1]
//=     thread 0 of block 0 changes 4 bytes that nothing has written since the block began
//=     none of the 4 elements of own is written so far
//=     try: shared memory begins as junk, not 0: let one thread set it, and all wait at a __syncthreads()
