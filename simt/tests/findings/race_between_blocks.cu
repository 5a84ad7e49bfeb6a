/* Each block reads the sum that the block before it writes in the same launch. */
#include <cuda_runtime.h>

__global__ void add_carry(int *sums)
{
    if (threadIdx.x == 0) {
        int carry = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
        sums[blockIdx.x] = carry + 1;
    }
}

int main()
{
    int *sums;
    cudaMalloc(&sums, 4 * sizeof(int));
    cudaMemset(sums, 0, 4 * sizeof(int));
    add_carry<<<4, 32>>>(sums);
    return cudaDeviceSynchronize();
}
