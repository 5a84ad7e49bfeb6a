/* The kernel that would have written the result is never launched. */
int main()
{
    int *out, host[32];
    cudaMalloc(&out, sizeof host);
    cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return error != cudaSuccess;
}
