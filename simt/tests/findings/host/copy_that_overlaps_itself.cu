int main()
{
    int *data;
    cudaMalloc(&data, 100 * sizeof(int));
    cudaMemset(data, 0, 100 * sizeof(int));
    cudaError_t error = cudaMemcpy(data + 1, data, 99 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(data);
    return error != cudaSuccess;
}
