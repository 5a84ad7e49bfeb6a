/* Lanes that synchronize by __syncwarp, all of them or those in a mask. */
#include <cuda_runtime.h>

__global__ void reduce_warp(int *out)
{
    __shared__ int partial[64];
    unsigned t = threadIdx.x;
    partial[t] = 1;
    partial[t + 32] = 2;
    for (unsigned half = 16; half > 0; half /= 2) {
        __syncwarp();
        int more = t < half ? partial[t + half] : 0;
        __syncwarp();
        if (t < half)
            partial[t] += more;
    }
    if (t < 16) {
        partial[32 + t] = 3;
        __syncwarp(0xffffu);
        partial[48 + t] = partial[32 + (t ^ 15)];
        __syncwarp(0xffffu);
    } else {
        __syncwarp(0xffff0000u);
    }
    __syncwarp();
    out[t] = partial[32 + t];
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    reduce_warp<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}

//= (nothing)
