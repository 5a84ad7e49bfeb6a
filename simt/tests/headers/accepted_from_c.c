/* The runtime API from C. */
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <vector_functions.h>

int main(void)
{
    void *p;
    dim3 grid = {1, 2, 3};
    float4 v = make_float4(1, 2, 3, 4);
    struct cudaDeviceProp prop;
    cudaStream_t stream = cudaStreamPerThread;
    cudaEvent_t event;
    enum cudaMemcpyKind kind = cudaMemcpyDefault;
    cudaError_t error = cudaMalloc(&p, 4);
    error = cudaMallocManaged(&p, 4, cudaMemAttachGlobal);
    error = cudaMemcpyAsync(p, &v, sizeof v, kind, stream);
    error = cudaEventCreate(&event);
    error = cudaEventRecord(event, stream);
    error = cudaGetDeviceProperties(&prop, 0);
    return (int)error + (int)grid.x;
}
