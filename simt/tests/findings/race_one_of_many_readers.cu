/* Everyone reads the word; the thread that writes it has waited for all but those of another warp. */
#include <cuda_runtime.h>

__global__ void renew(int *out)
{
    __shared__ int word;
    unsigned t = threadIdx.x;
    if (t == 0)
        word = 7;
    __syncthreads();
    out[t] = word;
    __syncwarp();
    if (t == 0)
        word = 8;
}

int main()
{
    int *out;
    cudaMalloc(&out, 96 * sizeof(int));
    renew<<<1, 96>>>(out);
    return cudaDeviceSynchronize();
}
