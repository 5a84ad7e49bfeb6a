/* Nobody ever writes the carry: the compiler may not take it for 0. */
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
