/* The carry is never written, and the compiler must not take it for 0. */
__global__ void add(const int *in, int *out)
{
    __shared__ int carry[2];
    out[threadIdx.x] = in[threadIdx.x] + carry[1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(in, 0, 32 * sizeof *in);
    add<<<1, 32>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return error != cudaSuccess;
}

//= uninitialized_shared_never_written.cu:5  add: read of uninitialized shared carry[1]
//=     thread 0 of block 0 reads 4 bytes that nothing has written since the block began
//=     none of the 2 elements of carry is written so far
//=     try: is this the index that is meant? Then some thread must store this element first, past the end of the input a value that changes no result, with a __syncthreads() between that store and this read
