int main()
{
    static int host[100];
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaError_t error = cudaMemcpy(data, host, 33 * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(data);
    return error != cudaErrorInvalidValue;
}
