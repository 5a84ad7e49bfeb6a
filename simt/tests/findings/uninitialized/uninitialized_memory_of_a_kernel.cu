#include <stdlib.h>
#include <string.h>

/* malloc in a kernel does not clear, and memcpy carries the junk along. */
__global__ void work(int *out)
{
    int *own = (int *)malloc(8 * sizeof *own), *copy = (int *)malloc(8 * sizeof *copy);
    own[0] = 1;
    memcpy(copy, own, 8 * sizeof *own);
    out[0] = copy[0];
    out[1] = copy[1];
    free(own);
    free(copy);
}

int main()
{
    int *out;
    cudaMalloc(&out, 2 * sizeof *out);
    work<<<1, 1>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
