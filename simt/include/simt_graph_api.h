/* simt_graph_api.h: nodes that a program adds to a graph one by one. C++, internal to cuda_runtime.h. Each function issues its
 * operation to a stream that is captured into the node: see simt/runtime/graph_nodes.c. */
#ifndef SIMT_GRAPH_API_H
#define SIMT_GRAPH_API_H

#include "simt_launch_api.h"
#include "simt_volumes.h"

extern "C" {
cudaError_t simt_graph_node_begin(const char *__name, cudaGraph_t graph, cudaGraphNode_t *node,
                                  enum cudaGraphNodeType type, const cudaGraphNode_t *__needs, size_t count,
                                  cudaStream_t *stream);
cudaError_t simt_graph_node_end(cudaGraphNode_t node, cudaStream_t stream, cudaError_t error);
cudaError_t simt_graph_kernel_without_type(void);
cudaError_t simt_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count);
}

namespace simt
{
/* A kernel's address with a function that launches it, which has the types of its parameters. cudac writes it for the
 * cast in `.func = (void *)kernel`. In other structs that have such a field, it is the address again. */
struct __any_kernel {
    typedef cudaError_t (*__launcher)(void *, dim3, dim3, void **, size_t, cudaStream_t);
    void *__address;
    __launcher __run;

    __any_kernel(void *__other = nullptr) : __address(__other), __run(nullptr)
    {
    }
    template <class... __P>
    explicit __any_kernel(void (*kernel)(__P...)) : __address((void *)kernel), __run(__run_typed<__P...>)
    {
    }
    template <class __T> __any_kernel(__T *__other) : __address((void *)__other), __run(nullptr)
    {
    }
    operator void *() const
    {
        return __address;
    }
    template <class... __P>
    static cudaError_t __run_typed(void *__address, dim3 __grid, dim3 __of_block, void **__arguments,
                                   size_t bytes, cudaStream_t stream)
    {
        return cudaLaunchKernel((void (*)(__P...))__address, __grid, __of_block, __arguments, bytes, stream);
    }
};
} // namespace simt

struct cudaKernelNodeParams {
    simt::__any_kernel func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch; /* bytes from row to row */
    unsigned int value, elementSize;
    size_t width, height; /* width in elements */
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

#define SIMT_NODE static inline __attribute__((__always_inline__, __unused__)) cudaError_t
/* A node's function: its operation, `issued`, is an expression with `stream`. */
#define SIMT_NODE_OF(name, type, issued)                                                                     \
    cudaStream_t stream;                                                                                     \
    cudaError_t error = simt_graph_node_begin(name, graph, node, type, __needs, count, &stream);             \
    return error ? error : simt_graph_node_end(*node, stream, issued);
#define SIMT_NODE_NEEDS cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *__needs, size_t count

SIMT_NODE cudaGraphAddEmptyNode(SIMT_NODE_NEEDS){
    SIMT_NODE_OF("cudaGraphAddEmptyNode", cudaGraphNodeTypeEmpty, cudaSuccess)} SIMT_NODE
    cudaGraphAddKernelNode(SIMT_NODE_NEEDS, const cudaKernelNodeParams *p)
{
    if (!p || !p->func.__run)
        return simt_graph_kernel_without_type();
    SIMT_NODE_OF("cudaGraphAddKernelNode", cudaGraphNodeTypeKernel,
                 p->func.__run(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, stream))
}
SIMT_NODE cudaGraphAddHostNode(SIMT_NODE_NEEDS, const cudaHostNodeParams *p){
    SIMT_NODE_OF("cudaGraphAddHostNode", cudaGraphNodeTypeHost,
                 cudaLaunchHostFunc(stream, p->fn, p->userData))} SIMT_NODE
    cudaGraphAddMemcpyNode1D(SIMT_NODE_NEEDS, void *to, const void *from, size_t bytes, cudaMemcpyKind kind){
        SIMT_NODE_OF("cudaGraphAddMemcpyNode1D", cudaGraphNodeTypeMemcpy,
                     cudaMemcpyAsync(to, from, bytes, kind, stream))}

/* Row by row, because only such copies can be captured. */
SIMT_NODE simt_graph_rows(const cudaMemcpy3DParms *p, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < p->extent.depth && !error; z++)
        for (size_t y = 0; y < p->extent.height && !error; y++)
            error = cudaMemcpyAsync(simt::__place_in(p->dstPtr, p->dstPos, z) + y * p->dstPtr.pitch,
                                    simt::__place_in(p->srcPtr, p->srcPos, z) + y * p->srcPtr.pitch,
                                    p->extent.width, p->kind, stream);
    return error;
}
SIMT_NODE cudaGraphAddMemcpyNode(SIMT_NODE_NEEDS, const cudaMemcpy3DParms *p){
    SIMT_NODE_OF("cudaGraphAddMemcpyNode", cudaGraphNodeTypeMemcpy, simt_graph_rows(p, stream))}

/* Values whose bytes differ are copied from memory that lasts as long as the program, like the graph's steps. */
SIMT_NODE simt_graph_fill(const cudaMemsetParams *p, cudaStream_t stream)
{
    const size_t bytes = p->width * p->elementSize;
    const unsigned char first = (unsigned char)p->value;
    bool __same = p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4;
    if (!__same)
        return cudaErrorInvalidValue;
    for (unsigned __k = 1; __k < p->elementSize; __k++)
        __same = __same && (unsigned char)(p->value >> 8 * __k) == first;
    unsigned char *__row = __same ? nullptr : (unsigned char *)malloc(bytes);
    if (!__same && !__row)
        return cudaErrorMemoryAllocation;
    for (size_t __k = 0; __row && __k < bytes; __k++)
        __row[__k] = (unsigned char)(p->value >> 8 * (__k % p->elementSize));
    cudaError_t error = cudaSuccess;
    for (size_t y = 0; y < (p->height ? p->height : 1) && !error; y++) {
        void *to = (char *)p->dst + y * p->pitch;
        error = __row ? cudaMemcpyAsync(to, __row, bytes, cudaMemcpyHostToDevice, stream)
                      : cudaMemsetAsync(to, first, bytes, stream);
    }
    return error;
}
SIMT_NODE cudaGraphAddMemsetNode(SIMT_NODE_NEEDS, const cudaMemsetParams *p){
    SIMT_NODE_OF("cudaGraphAddMemsetNode", cudaGraphNodeTypeMemset, simt_graph_fill(p, stream))}

#if CUDART_VERSION < 13000
SIMT_NODE cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                   size_t count)
#else
struct cudaGraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
};
SIMT_NODE cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                   const cudaGraphEdgeData *, size_t count)
#endif
{
    return simt_graph_add_dependencies(graph, from, to, count);
}

#undef SIMT_NODE
#undef SIMT_NODE_OF
#undef SIMT_NODE_NEEDS

#endif
