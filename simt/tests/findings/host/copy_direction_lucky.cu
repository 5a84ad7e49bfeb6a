int main()
{
    int *from, *to;
    cudaMalloc(&from, 128);
    cudaMalloc(&to, 128);
    cudaMemset(from, 0, 128);
    cudaError_t error = cudaMemcpy(to, from, 128, cudaMemcpyHostToDevice);
    cudaFree(from);
    cudaFree(to);
    return error != cudaSuccess;
}
