#include "tables/blur.cuh"

int main()
{
    float host[32] = {0}, *in, *out;
    cudaMemcpyToSymbol(weights, host, sizeof weights);
    cudaMemcpyToSymbol(after, host, sizeof host);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    blur<<<1, 32>>>(in, out, 32);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
