/* The same with both barriers: nothing to report. */
#include <cuda_runtime.h>

__global__ void scan_in_place(int *data)
{
    __shared__ int buffer[64];
    unsigned t = threadIdx.x;
    buffer[t] = data[t];
    for (unsigned stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        int left = t >= stride ? buffer[t - stride] : 0;
        __syncthreads();
        buffer[t] += left;
    }
    __syncthreads();
    data[t] = buffer[t];
}

int main()
{
    int *data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    scan_in_place<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
