#include "util/buffers.h"

__global__ void scale(float *x, float by, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] *= by;
}

extern "C" void scale_twice(void)
{
    static struct buffer work;
    for (int n = 32; n <= 64; n *= 2) {
        float *x = buffer_reserve(&work, n);
        cudaMemset(x, 0, n * sizeof(float));
        scale<<<1, 32>>>(x, 2.0f, n);
    }
    cudaFree(work.data);
}
