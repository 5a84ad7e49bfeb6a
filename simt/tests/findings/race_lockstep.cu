/* The last steps of a reduction in one warp, as if its lanes ran in lockstep. A shuffle orders no memory. */
#include <cuda_runtime.h>

__global__ void reduce_warp(int *out)
{
    __shared__ int partial[64];
    unsigned t = threadIdx.x;
    partial[t] = 1;
    partial[t + 32] = 2;
    __shfl_sync(0xffffffffu, 0, 0);
    if (t < 16)
        partial[t] += partial[t + 16];
    out[t] = partial[t];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    reduce_warp<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
