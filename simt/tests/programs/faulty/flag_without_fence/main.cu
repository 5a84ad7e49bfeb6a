#include "sync/total.cuh"

int main()
{
    int *in, *parts, *out;
    cudaMalloc(&in, 4 * 32 * sizeof(int));
    cudaMalloc(&parts, 4 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, 4 * 32 * sizeof(int));
    total<<<4, 32>>>(in, parts, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(parts);
    cudaFree(out);
    return 0;
}
