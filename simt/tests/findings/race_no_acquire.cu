/* The producer has its fence, the consumer has none. */
#include <cuda_runtime.h>

__device__ volatile int ready;
__device__ int data;

__global__ void hand_over(int *out)
{
    if (blockIdx.x == 0) {
        data = 42;
        __threadfence();
        ready = 1;
    } else {
        while (ready == 0)
            ;
        *out = data;
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof(int));
    hand_over<<<2, 1>>>(out);
    return cudaDeviceSynchronize();
}
