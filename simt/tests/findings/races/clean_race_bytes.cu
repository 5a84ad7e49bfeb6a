/* Neighbouring bytes of one word belong to different threads. */
#include <cuda_runtime.h>

__global__ void bytes(char *out, short *pairs)
{
    __shared__ char mine[64];
    unsigned t = threadIdx.x;
    mine[t] = (char)t;
    mine[t]++;
    out[t] = mine[t];
    pairs[t] = (short)t;
    __syncthreads();
    out[t] = mine[63 - t];
}

int main()
{
    char *out;
    short *pairs;
    cudaMalloc(&out, 64);
    cudaMalloc(&pairs, 128);
    bytes<<<1, 64>>>(out, pairs);
    return cudaDeviceSynchronize();
}

//= (nothing)
