int main()
{
    int *data;
    cudaMalloc(&data, 128);
    cudaError_t error = cudaFree(data + 4);
    cudaFree(data);
    return error != cudaErrorInvalidValue;
}
