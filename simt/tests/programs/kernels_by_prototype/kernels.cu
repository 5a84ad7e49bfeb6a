#include "kernels.h"
__global__ void fill(int *data, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = value;
}
__device__ int clamp_index(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
__global__ void scan_block(const int *in, int *out, int n)
{
    __shared__ alignas(16) int buffer[2][128];
    __shared__ int last;
    int t = threadIdx.x, from = 0;
    buffer[0][t] = t < n ? in[clamp_index(t, n)] : 0;
    for (int stride = 1; stride < (int)blockDim.x; stride <<= 1, from = 1 - from) {
        __syncthreads();
        buffer[1 - from][t] = buffer[from][t] + (t >= stride ? buffer[from][t - stride] : 0);
    }
    if (t == (int)blockDim.x - 1)
        last = buffer[from][t];
    __syncthreads();
    if (t < n)
        out[t] = buffer[from][t] + 1000 * last;
}
