/* A tile is filled, and its second half written anew by other threads: a barrier is missing between the two. */
#include <cuda_runtime.h>

__global__ void turn(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (t < n / 2)
        tile[n - 1 - t] = t + 1;
    __syncthreads();
    out[t] = tile[t];
}

int main(void)
{
    int *in, *out, host[64] = {0};
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    turn<<<1, 64>>>(in, out, 64);
    cudaFree(in);
    cudaFree(out);
}
