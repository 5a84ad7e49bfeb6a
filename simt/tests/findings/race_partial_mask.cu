/* __syncwarp orders the lanes that its mask names, and no others. */
#include <cuda_runtime.h>

__global__ void halves(int *out)
{
    __shared__ int part[32];
    unsigned t = threadIdx.x;
    part[t] = 0;
    __syncwarp();
    part[t] = (int)t;
    __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
    out[t] = part[t ^ 16];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    halves<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
