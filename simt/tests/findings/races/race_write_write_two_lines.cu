/* A tile is filled, and other threads overwrite its second half without a barrier between. */
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

//= race_write_write_two_lines.cu:10  turn: race on shared tile[32]
//=     thread 32 writes it at line 8, thread 31 writes it at line 10, and no barrier stands between
//=     try: __syncthreads() between the two, if both are meant; or else let one thread write it
