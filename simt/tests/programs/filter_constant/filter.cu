/* A filter in constant memory that is set as a whole, in part, and through its address; a static __device__ counter. */
#include "filter.h"
#include <cuda_runtime.h>

__constant__ int c_Filter[TAPS];
__constant__ struct {
    int scale, shift;
} c_Settings = {1, 0};
__device__ unsigned int d_Calls = 0;

#define IMUL(a, b) __mul24(a, b)

__global__ void rowKernel(int *d_Dst, const int *d_Src, int imageW, int imageH)
{
    const int x = IMUL(blockIdx.x, blockDim.x) + threadIdx.x;
    const int y = IMUL(blockIdx.y, blockDim.y) + threadIdx.y;
    if (x >= imageW || y >= imageH)
        return;
    if (x == 0 && y == 0)
        atomicAdd(&d_Calls, 1u);
    int sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; j++)
        if (x + j >= 0 && x + j < imageW)
            sum += d_Src[y * imageW + x + j] * c_Filter[RADIUS - j];
    d_Dst[y * imageW + x] = (sum >> c_Settings.shift) * c_Settings.scale;
}

void setFilter(const int *taps, bool mirrored)
{
    static int calls;
    if (calls++ == 0) {
        cudaMemcpyToSymbol(c_Filter, taps, TAPS * sizeof(int));
    } else {
        void *address = 0;
        cudaMemcpyToSymbol(c_Filter, taps, 2 * sizeof(int), 0, cudaMemcpyHostToDevice);
        cudaMemcpyToSymbol(c_Filter, taps + 2, (TAPS - 2) * sizeof(int), 2 * sizeof(int));
        cudaGetSymbolAddress(&address, c_Settings);
        int settings[2] = {mirrored ? -1 : 1, 1};
        cudaMemcpy(address, settings, sizeof settings, cudaMemcpyHostToDevice);
    }
}

void runFilter(int *d_out, const int *d_in, int width, int height)
{
    dim3 block(16, 4), grid((width + 15) / 16, (height + 3) / 4);
    rowKernel<<<grid, block>>>(d_out, d_in, width, height);
}

unsigned int filterCalls()
{
    unsigned int calls;
    cudaMemcpyFromSymbol(&calls, d_Calls, sizeof(calls));
    return calls;
}
