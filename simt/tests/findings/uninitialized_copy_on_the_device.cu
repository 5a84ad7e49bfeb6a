/* A copy of junk is junk: the second half of the copy is read. */
__global__ void fill(int *out)
{
    out[threadIdx.x] = 1;
}

__global__ void twice(int *data)
{
    data[threadIdx.x] *= 2;
}

int main()
{
    int *from, *to;
    cudaMalloc(&from, 64 * sizeof *from);
    cudaMalloc(&to, 64 * sizeof *to);
    cudaMemset(to, 0, 64 * sizeof *to);
    fill<<<1, 32>>>(from);
    cudaMemcpy(to, from, 64 * sizeof *to, cudaMemcpyDeviceToDevice);
    twice<<<1, 64>>>(to);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
    return error != cudaSuccess;
}
