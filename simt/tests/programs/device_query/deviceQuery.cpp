// Queries everything that a first program prints, from a .cpp file, and prints only what holds on every device.
#include <cuda_runtime.h>
#include <iostream>
#include <memory>
#include <string>

#include "helper_cuda.h"

extern int vectorAdd(int numElements);

int main(int argc, char **argv)
{
    int dev = findCudaDevice(argc, (const char **)argv), driverVersion = 0, runtimeVersion = 0;
    cudaDeviceProp deviceProp;
    checkCudaErrors(cudaGetDeviceProperties(&deviceProp, dev));
    checkCudaErrors(cudaDriverGetVersion(&driverVersion));
    checkCudaErrors(cudaRuntimeGetVersion(&runtimeVersion));
    printf("Device %d has a name: %s\n", dev, strlen(deviceProp.name) > 0 ? "Yes" : "No");
    printf("  Driver at least the runtime's version: %s\n", driverVersion >= runtimeVersion && runtimeVersion >= 11000 ? "Yes" : "No");
    char msg[256];
    snprintf(msg, sizeof(msg), "  Global memory: %.0f MBytes (%llu bytes)\n", (float)deviceProp.totalGlobalMem / 1048576.0f,
             (unsigned long long)deviceProp.totalGlobalMem);
    printf("  Global memory above 256 MBytes: %s\n", deviceProp.totalGlobalMem > (256u << 20) && strlen(msg) > 30 ? "Yes" : "No");
    printf("  Cores in whole SMs: %s\n",
           _ConvertSMVer2Cores(deviceProp.major, deviceProp.minor) * deviceProp.multiProcessorCount > 0 ? "Yes" : "No");
    printf("  Total amount of constant memory:               %zu bytes\n", deviceProp.totalConstMem);
    printf("  Total amount of shared memory per block:       %zu bytes\n", deviceProp.sharedMemPerBlock);
    printf("  Total number of registers available per block: %d\n", deviceProp.regsPerBlock);
    printf("  Warp size:                                     %d\n", deviceProp.warpSize);
    printf("  Maximum number of threads per block:           %d\n", deviceProp.maxThreadsPerBlock);
    printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", deviceProp.maxThreadsDim[0],
           deviceProp.maxThreadsDim[1], deviceProp.maxThreadsDim[2]);
    printf("  Max dimension size of a grid size    (x,y,z): (%d, %d, %d)\n", deviceProp.maxGridSize[0],
           deviceProp.maxGridSize[1], deviceProp.maxGridSize[2]);
    printf("  Threads a multiprocessor above one block's: %s\n", deviceProp.maxThreadsPerMultiProcessor >= deviceProp.maxThreadsPerBlock ? "Yes" : "No");
    size_t avail = 0, total = 0;
    checkCudaErrors(cudaMemGetInfo(&avail, &total));
    printf("  Free memory within the total: %s\n", avail > 0 && avail <= total ? "Yes" : "No");
    printf("  Unified addressing: %s\n", deviceProp.unifiedAddressing ? "Yes" : "No");
    int bad = vectorAdd(50000 / 16);
    puts(bad ? "FAIL" : "PASS");
    return bad;
}
