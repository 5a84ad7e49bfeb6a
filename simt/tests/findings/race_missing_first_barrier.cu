/* A thread reads what its neighbour writes, with no barrier between. */
#include <cuda_runtime.h>

__global__ void shift(int *out)
{
    __shared__ int buffer[64];
    unsigned t = threadIdx.x;
    buffer[t] = 0;
    __syncthreads();
    buffer[t] = (int)t;
    out[t] = buffer[(t + 33) % 64];
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    shift<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
