#include <stdlib.h>

/* __activemask() need not hold all the lanes that took the branch: in random order it does not. */
__global__ void sum(int *out)
{
    unsigned t = threadIdx.x;
    int value = 1;
    if (t < 16) {
        unsigned mask = __activemask();
        for (int distance = 8; distance > 0; distance /= 2)
            value += __shfl_xor_sync(mask, value, distance);
    }
    out[t] = value;
}

int main()
{
    setenv("SIMT_ORDER", "random", 1);
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    sum<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
