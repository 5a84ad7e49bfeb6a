/* Queries the device and the kernel before a launch: properties, attributes, occupancy; then cudaLaunchKernel. */
#include "saxpy.cuh"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort)
            exit(code);
    }
}
#define gpuErrchk(ans)                                                                                       \
    {                                                                                                        \
        gpuAssert((ans), __FILE__, __LINE__);                                                                \
    }

static size_t bytesOfBlock(int threads)
{
    return threads * sizeof(float);
}

int main(void)
{
    int devices = 0, device = -1, sms = 0, minGrid = 0, block = 0, perSm = 0;
    cudaDeviceProp prop;
    cudaFuncAttributes attributes;
    gpuErrchk(cudaGetDeviceCount(&devices));
    gpuErrchk(cudaSetDevice(0));
    gpuErrchk(cudaGetDevice(&device));
    gpuErrchk(cudaGetDeviceProperties(&prop, device));
    gpuErrchk(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    gpuErrchk(cudaFuncGetAttributes(&attributes, transform<Saxpy>));
    gpuErrchk(cudaFuncSetCacheConfig(transform<Saxpy>, cudaFuncCachePreferShared));
    gpuErrchk(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGrid, &block, transform<Saxpy>, bytesOfBlock,
                                                             256));
    gpuErrchk(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, transform<Saxpy>, 128, bytesOfBlock(128)));
    printf("device %s, warp %d, sms %s, block %s, resident %s, static %zu\n",
           devices > 0 ? "there" : "missing", prop.warpSize,
           sms == prop.multiProcessorCount ? "agree" : "differ", block > 0 && block <= 256 ? "ok" : "odd",
           perSm > 0 ? "ok" : "none", attributes.sharedSizeBytes);

    const int n = 1000;
    float *x, *y, host[n];
    gpuErrchk(cudaMalloc(&x, n * sizeof(float)));
    gpuErrchk(cudaMalloc(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        host[i] = (float)i;
    gpuErrchk(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice));
    transform<<<{3, 1, 1}, dim3{128}, bytesOfBlock(128)>>>(Saxpy{2.0f}, x, y, n);
    gpuErrchk(cudaPeekAtLastError());
    Saxpy op = {-1.0f};
    const float *in = x;
    int count = n;
    void *arguments[] = {&op, &in, &y, &count};
    gpuErrchk(cudaLaunchKernel((void *)transform<Saxpy>, dim3(2), dim3(64), arguments, bytesOfBlock(64), 0));
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += host[i] != 2.0f * i;
    gpuErrchk(cudaFree(x));
    gpuErrchk(cudaFree(y));
    gpuErrchk(cudaDeviceReset());
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
