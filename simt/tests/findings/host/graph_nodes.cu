/* Mistakes in graphs whose nodes are added by hand, and a race between two nodes that do not depend on each other. */
#include "pair.h"

/* A kernel node in `graph`. */
static cudaGraphNode_t node_of(cudaGraph_t graph, cudaKernelNodeParams p, int *out, int value, const cudaGraphNode_t *needs = NULL)
{
    cudaGraphNode_t node;
    void *arguments[] = {&out, &value};
    p.gridDim = dim3(1);
    p.blockDim = dim3(32);
    p.kernelParams = arguments;
    must(cudaGraphAddKernelNode(&node, graph, needs, needs ? 1 : 0, &p));
    return node;
}

static cudaGraph_t new_graph()
{
    cudaGraph_t graph;
    must(cudaGraphCreate(&graph, 0));
    return graph;
}

static void launch(cudaGraph_t graph)
{
    cudaGraphExec_t instance;
    must(cudaGraphInstantiate(&instance, graph, 0));
    must(cudaGraphLaunch(instance, 0));
    must(cudaDeviceSynchronize());
}

__global__ void write(int *out, int value)
{
    out[threadIdx.x] = value; //!
}

/* expect: race on */
PAIR(nodes_of_a_graph_race)
{
    int *out = zeros<int>(32);
    const cudaGraph_t graph = new_graph();
    cudaKernelNodeParams p = {};
    p.func = (void *)write;
    const cudaGraphNode_t first = node_of(graph, p, out, 1);
    node_of(graph, p, out, 2, faulty ? NULL : &first);
    launch(graph);
}

__global__ void write_later(int *out, int value)
{
    out[threadIdx.x] = value; //!
}

/* An edge that is added later leads to the node that was added first. */
/* expect: race on */
PAIR(nodes_of_a_graph_in_another_order_race)
{
    int *out = zeros<int>(32);
    const cudaGraph_t graph = new_graph();
    cudaKernelNodeParams p = {};
    p.func = (void *)write_later;
    const cudaGraphNode_t later = node_of(graph, p, out, 1), earlier = node_of(graph, p, out, 2);
    must(cudaGraphAddDependencies(graph, &earlier, &later, NULL, faulty ? 0 : 1));
    launch(graph);
}

/* expect: cudaGraphInstantiate: nodes of the graph need each other in a circle */
PAIR(nodes_in_a_circle)
{
    int *out = zeros<int>(32);
    const cudaGraph_t graph = new_graph();
    cudaGraphExec_t instance;
    cudaKernelNodeParams p = {};
    p.func = (void *)write;
    const cudaGraphNode_t first = node_of(graph, p, out, 1), second = node_of(graph, p, out, 2, &first);
    must(cudaGraphAddDependencies(graph, &second, &first, NULL, faulty ? 1 : 0));
    (void)cudaGraphInstantiate(&instance, graph, 0); //!
}

/* expect: cudaGraphAddHostNode: dependency 0 is no node of this graph */
PAIR(node_of_another_graph)
{
    int *out = zeros<int>(32);
    const cudaGraph_t graph = new_graph(), other = new_graph();
    cudaKernelNodeParams p = {};
    p.func = (void *)write;
    const cudaGraphNode_t first = node_of(faulty ? other : graph, p, out, 1);
    cudaGraphNode_t second;
    const cudaHostNodeParams called = {[](void *) {}, NULL};
    (void)cudaGraphAddHostNode(&second, graph, &first, 1, &called); //!
}

/* The cast must be next to `func`, because the device takes the kernel's type from there. */
/* expect: cudaGraphAddKernelNode: the CPU device needs the kernel's type */
PAIR(node_of_a_kernel_without_its_type)
{
    int *out = zeros<int>(32), value = 1;
    void *kernel = (void *)write, *arguments[] = {&out, &value};
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = (void *)write;
    if (faulty)
        p.func = kernel;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = arguments;
    (void)cudaGraphAddKernelNode(&node, new_graph(), NULL, 0, &p); //!
}
