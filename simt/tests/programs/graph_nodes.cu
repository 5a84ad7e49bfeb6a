/* A graph whose nodes are added one by one: copies, fills, kernels and a host function with their dependencies, a clone of it, and
 * edges that are added afterwards. */
#include "program.h"

#include <vector>

__global__ void sum_of_block(const float *in, double *out, size_t n)
{
    __shared__ double sums[256];
    double sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sums[threadIdx.x] = sum;
    for (unsigned k = blockDim.x / 2; k; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k)
            sums[threadIdx.x] += sums[threadIdx.x + k];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] += sums[0];
}

template <class T> __global__ void sum_of_all(const T *in, T *out, int n)
{
    for (int i = 0; i < n; i++)
        *out += in[i];
}

struct total {
    const char *name;
    double value;
};

static void CUDART_CB print(void *data)
{
    total *sum = (total *)data;
    printf("%s: %g\n", sum->name, sum->value);
    sum->value = 0;
}

enum { N = 4096, BLOCKS = 4 };

int main()
{
    float *host, *in;
    double *sums, *all;
    total result = {"sum", 0};
    CUDA_CHECK(cudaMallocHost(&host, N * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&in, N * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&sums, BLOCKS * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&all, sizeof(double)));
    for (int i = 0; i < N; i++)
        host[i] = i % 3;

    cudaGraph_t graph, clone;
    cudaGraphNode_t copy, fill, blocks, fill_all, sum, back, last;
    std::vector<cudaGraphNode_t> needs;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));

    cudaMemcpy3DParms copied = {};
    copied.srcPtr = make_cudaPitchedPtr(host, 64 * sizeof(float), 64, N / 64);
    copied.dstPtr = make_cudaPitchedPtr(in, 64 * sizeof(float), 64, N / 64);
    copied.extent = make_cudaExtent(64 * sizeof(float), N / 64, 1);
    copied.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaGraphAddMemcpyNode(&copy, graph, NULL, 0, &copied));

    cudaMemsetParams filled = {};
    filled.dst = sums;
    filled.elementSize = sizeof(int);
    filled.width = 2 * BLOCKS;
    filled.height = 1;
    CUDA_CHECK(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &filled));

    size_t n = N;
    int number = BLOCKS;
    void *of_blocks[] = {&in, &sums, &n}, *of_all[] = {&sums, &all, &number};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)sum_of_block;
    kernel.gridDim = dim3(BLOCKS);
    kernel.blockDim = dim3(256);
    kernel.kernelParams = of_blocks;
    needs = {copy, fill};
    CUDA_CHECK(cudaGraphAddKernelNode(&blocks, graph, needs.data(), needs.size(), &kernel));

    filled.dst = all; /* a value whose bytes differ, twice: the double 2.0 has the upper half 0x40000000 */
    filled.value = 0x40000000;
    filled.width = 2;
    CUDA_CHECK(cudaGraphAddMemsetNode(&fill_all, graph, NULL, 0, &filled));

    kernel.func = (void *)sum_of_all<double>;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = of_all;
    needs = {blocks};
    CUDA_CHECK(cudaGraphAddKernelNode(&sum, graph, needs.data(), needs.size(), &kernel));
    CUDA_CHECK(cudaGraphAddDependencies(graph, &fill_all, &sum, NULL, 1));
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &sum, 1, &result.value, all, sizeof(double), cudaMemcpyDeviceToHost));
    cudaHostNodeParams called = {print, &result};
    CUDA_CHECK(cudaGraphAddHostNode(&last, graph, &back, 1, &called));

    size_t nodes = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    std::vector<cudaGraphNode_t> of_graph(nodes);
    CUDA_CHECK(cudaGraphGetNodes(graph, of_graph.data(), &nodes));
    cudaGraphNodeType type;
    CUDA_CHECK(cudaGraphNodeGetType(of_graph[nodes - 1], &type));
    printf("%d nodes, the last for the host: %d\n", (int)nodes, of_graph[nodes - 1] == last && type == cudaGraphNodeTypeHost);

    cudaStream_t stream;
    cudaGraphExec_t first, second;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaGraphClone(&clone, graph));
    CUDA_CHECK(cudaGraphInstantiate(&first, graph, 0));
    CUDA_CHECK(cudaGraphInstantiate(&second, clone, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphDestroy(clone));
    for (int i = 0; i < 2; i++)
        CUDA_CHECK(cudaGraphLaunch(first, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    result.name = "sum of the clone";
    CUDA_CHECK(cudaGraphLaunch(second, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaGraphExecDestroy(first));
    CUDA_CHECK(cudaGraphExecDestroy(second));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaFree(all));
    CUDA_CHECK(cudaFreeHost(host));
    puts("PASS");
}
