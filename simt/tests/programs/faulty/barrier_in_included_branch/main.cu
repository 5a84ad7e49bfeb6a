#include "parts/sum.cuh"

int main()
{
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    sum_ints<<<1, 64, 64 * sizeof(int)>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
