int main()
{
    int *data;
    cudaMalloc(&data, 128);
    cudaError_t error = cudaMemset(data, 1000, 128);
    cudaFree(data);
    return error != cudaSuccess;
}
