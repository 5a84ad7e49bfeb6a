/* All threads that find something write the same to one flag: a warning. */
#include <cuda_runtime.h>

__global__ void any_odd(const int *in, int *found)
{
    if (in[threadIdx.x] & 1)
        *found = 1;
}

int main()
{
    int *in, *found;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&found, sizeof(int));
    cudaMemset(in, 1, 64 * sizeof(int));
    cudaMemset(found, 0, sizeof(int));
    any_odd<<<1, 64>>>(in, found);
    return cudaDeviceSynchronize();
}
