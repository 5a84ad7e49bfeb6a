/* Names that CUDA 13 has removed. */
#include <cstdio>

int main()
{
    float *data;
    cudaMallocManaged(&data, 64);
    cudaThreadSynchronize();
#if CUDART_VERSION < 13000
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    cudaMemPrefetchAsync(data, 64, 0);
    printf("%d %d\n", properties.clockRate > 0 && properties.computeMode == 0, CUDART_VERSION);
#endif
    cudaFree(data);
}
