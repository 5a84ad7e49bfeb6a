/* Calls that fail, and how: every status by name and text, what cudaGetLastError and cudaPeekAtLastError keep, and
 * that the device works on afterwards. Nothing here breaks the context of a real GPU. */
#include <cuda_runtime.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void show(const char *what, cudaError_t status)
{
    cudaError_t last = cudaPeekAtLastError(), cleared = cudaGetLastError(), after = cudaGetLastError();
    printf("%s: %d %s (%s)", what, (int)status, cudaGetErrorName(status), cudaGetErrorString(status));
    if (last != status)
        printf(", last %s", cudaGetErrorName(last));
    if (cleared != last || after != cudaSuccess) {
        printf(" FAIL");
        failures++;
    }
    printf("\n");
}

/* No device accepts this shape. Toolkits differ in whether it is an invalid configuration or an invalid value. */
static bool is_refused(cudaError_t status)
{
    return status == cudaErrorInvalidConfiguration || status == cudaErrorInvalidValue;
}

static void show_launch(const char *what)
{
    cudaError_t status = cudaGetLastError();
    printf("%s: %s\n", what, is_refused(status) ? "refused" : cudaGetErrorName(status));
    failures += cudaPeekAtLastError() != cudaSuccess;
}

__constant__ int table[4];
__global__ void nothing() {}
__global__ void store(int *cell, int value) { *cell = value; }
__global__ void needs_shared(int *cell)
{
    extern __shared__ int space[];
    space[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    *cell = space[0];
}

static void still_works(int *cell, int value)
{
    int back = -1;
    store<<<1, 1>>>(cell, value);
    cudaError_t status = cudaMemcpy(&back, cell, sizeof back, cudaMemcpyDeviceToHost);
    printf("and the device works on: %s %d\n", cudaGetErrorName(status), back);
    failures += status != cudaSuccess || back != value;
}

int main()
{
    int *cell = NULL, on_host = 3, devices = 0, device = -1;
    void *pointer = NULL;

    show("malloc", cudaMalloc((void **)&cell, 16 * sizeof(int)));
    printf("a pointer: %s\n", cell != NULL ? "yes" : "no");

    puts("launches");
    nothing<<<1, 2048>>>();
    show_launch("2048 threads");
    nothing<<<1, 0>>>();
    show_launch("no threads");
    nothing<<<0, 1>>>();
    show_launch("no blocks");
    nothing<<<dim3(1, 65536), 1>>>();
    show_launch("65536 blocks along y");
    nothing<<<1, dim3(1, 1, 65)>>>();
    show_launch("65 threads along z");
    nothing<<<1, dim3(32, 33)>>>();
    show_launch("32 x 33 threads");
    needs_shared<<<1, 32, 1 << 20>>>(cell);
    show_launch("a megabyte of dynamic shared memory");
    nothing<<<1, 1024>>>();
    show_launch("1024 threads");
    nothing<<<dim3(1, 65535), 1>>>();
    show_launch("65535 blocks along y");
    show("synchronize", cudaDeviceSynchronize());
    still_works(cell, 11);

    puts("the last error stays until it is asked for");
    nothing<<<1, 4096>>>();
    cudaError_t first = cudaPeekAtLastError();
    printf("peek: %s\n", is_refused(first) ? "refused" : "FAIL");
    printf("peek: %s\n", cudaPeekAtLastError() == first ? "the same" : "FAIL");
    printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    nothing<<<1, 1>>>();
    printf("peek after a good launch: %s\n", cudaPeekAtLastError() == first ? "the same" : "FAIL");
    printf("get: %s\n", cudaGetLastError() == first ? "the same" : "FAIL");
    printf("get: %s\n", cudaGetErrorName(cudaGetLastError()));

    puts("memory");
    show("malloc into nothing", cudaMalloc((void **)NULL, 4));
    show("malloc of no bytes", cudaMalloc(&pointer, 0));
    show("malloc of too much", cudaMalloc(&pointer, (size_t)1 << 50));
    show("free of nothing", cudaFree(NULL));
    show("copy of no bytes", cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    show("copy to nothing", cudaMemcpy(NULL, &on_host, 4, cudaMemcpyHostToDevice));
    show("copy in no direction", cudaMemcpy(cell, &on_host, 4, (cudaMemcpyKind)77));
    show("set of nothing", cudaMemset(NULL, 0, 4));
    show("host memory of no bytes", cudaMallocHost(&pointer, 0));
    show("too much for a symbol", cudaMemcpyToSymbol(table, cell, 5 * sizeof(int), 0, cudaMemcpyDeviceToDevice));
    show("past a symbol's end", cudaMemcpyToSymbol(table, &on_host, sizeof(int), 4 * sizeof(int)));
    show("into a symbol", cudaMemcpyToSymbol(table, &on_host, sizeof(int), 3 * sizeof(int)));

    puts("devices and functions");
    show("count", cudaGetDeviceCount(&devices));
    printf("a device: %s\n", devices > 0 ? "yes" : "no");
    show("set device 999", cudaSetDevice(999));
    show("set device -1", cudaSetDevice(-1));
    show("set device 0", cudaSetDevice(0));
    show("get device", cudaGetDevice(&device));
    cudaDeviceProp properties;
    show("properties of 999", cudaGetDeviceProperties(&properties, 999));
    show("properties of 0", cudaGetDeviceProperties(&properties, 0));
    printf("warp size %d, at least 48 KiB a block: %s\n", properties.warpSize,
           properties.sharedMemPerBlock >= 48 * 1024 ? "yes" : "no");
    show("too much shared memory asked for",
         cudaFuncSetAttribute(needs_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));

    puts("events");
    cudaEvent_t begin, end;
    float milliseconds;
    show("create", cudaEventCreate(&begin));
    show("create", cudaEventCreate(&end));
    show("time of events that never were", cudaEventElapsedTime(&milliseconds, begin, end));
    show("query of one never recorded", cudaEventQuery(begin));
    show("destroy", cudaEventDestroy(begin));
    show("destroy", cudaEventDestroy(end));

    puts("names");
    static const cudaError_t some[] = {cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation,
                                       cudaErrorInvalidConfiguration, cudaErrorInvalidDevice, cudaErrorIllegalAddress,
                                       cudaErrorLaunchFailure, cudaErrorNotReady, cudaErrorInvalidSymbol, cudaErrorAssert,
                                       cudaErrorInvalidResourceHandle, cudaErrorUnknown, cudaErrorMisalignedAddress,
                                       cudaErrorLaunchTimeout, cudaErrorNoDevice};
    for (cudaError_t error : some)
        printf("%d %s: %s\n", (int)error, cudaGetErrorName(error), cudaGetErrorString(error));
    printf("%s: %s\n", cudaGetErrorName((cudaError_t)54321), cudaGetErrorString((cudaError_t)54321));

    still_works(cell, 12);
    show("free", cudaFree(cell));
    puts(failures == 0 ? "PASS" : "FAIL");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
