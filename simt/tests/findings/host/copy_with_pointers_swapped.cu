int main()
{
    int host[32] = {0}, *data;
    cudaMalloc(&data, sizeof host);
    cudaError_t error = cudaMemcpy(host, data, sizeof host, cudaMemcpyHostToDevice);
    cudaFree(data);
    return error != cudaErrorInvalidValue;
}
