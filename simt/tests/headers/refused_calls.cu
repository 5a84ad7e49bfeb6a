/* Calls of functions that the device does not have. */
#include <cooperative_groups.h>
#include <cuda.h>

__global__ void kernel(float *out, cudaTextureObject_t texture, cudaSurfaceObject_t surface)
{
    float v = tex2D<float>(texture, 1.0f, 2.0f);           // refused: the CPU device has no textures; DEVICE=cuda has
    v += tex1Dfetch<float>(texture, 3);                    // refused: the CPU device has no textures
    surf2Dwrite(v, surface, 4, 4);                         // refused: the CPU device has no surfaces
    v += __shfl_down(v, 1);                                // refused: warp operations need a mask since CUDA 9
    v += __any(v > 0);                                     // refused: warp operations need a mask since CUDA 9
    cooperative_groups::this_cluster().sync();             // refused: the CPU device has no thread block clusters
    cudaGridDependencySynchronize();                       // refused: the CPU device has no programmatic dependent launch
    out[0] = v;
}

__global__ void untyped(int *) {}

int main()
{
    cudaGraph_t graph;
    cudaArray_t array;
    void *arguments[1], *hidden = (void *)untyped;
    cudaGraphExecKernelNodeSetParams(nullptr, nullptr, nullptr);              // refused: the CPU device has no changes of a graph's nodes
    cudaGraphAddChildGraphNode(nullptr, graph, nullptr, 0, graph);            // refused: the CPU device has no graphs as nodes of graphs
    cudaMallocArray(&array, 0, 16, 16);                                       // refused: the CPU device has no CUDA arrays
    cudaLaunchConfig_t config = {};
    cudaLaunchKernelExC(&config, untyped, arguments);                         // refused: the CPU device has no launches by untyped pointers
    cudaLaunchCooperativeKernel(hidden, dim3(1), dim3(1), arguments);         // refused: the CPU device needs the kernel's type
    CUdevice device;
    CUresult done = cuDeviceGet(&device, 0);                                  // refused: the CPU device has no driver API
    done = done != CUDA_SUCCESS ? done : CUDA_SUCCESS;
    cudaThreadSynchronize();                                                  // refused: it is gone since CUDA 13: use cudaDeviceSynchronize
    return 0;
}
