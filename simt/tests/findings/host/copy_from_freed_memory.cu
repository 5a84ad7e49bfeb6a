int main()
{
    int host[32], *data;
    cudaMalloc(&data, sizeof host);
    cudaMemset(data, 0, sizeof host);
    cudaFree(data);
    return cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaErrorInvalidValue;
}
