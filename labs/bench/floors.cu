/* floors.cu: calls that do no work, and cost what a call of a few elements cannot avoid: launches, with or without a
 * graph, and scratch memory. Timed together with the others on short inputs (tasks.cu). */
#include "tasks.h"

enum { MANY = 5 /* launches, as in a sort of few keys */ };

static __global__ void empty_kernel(const void *, void *)
{
}

static void launch(const void *in, void *out, int launches)
{
    for (int i = 0; i < launches; i++)
        empty_kernel<<<1, 32>>>(in, out);
}

/* One launch of a graph whose kernels get this call's arrays first, as a function of a lab would have to do it. */
static void launch_graph(const void *in, void *out)
{
    static cudaGraphExec_t recorded;
    static cudaGraphNode_t nodes[MANY];
    void *arguments[] = {&in, &out};
    struct cudaKernelNodeParams wanted = {};
    wanted.func = (void *)empty_kernel;
    wanted.gridDim                   = dim3(1);
    wanted.blockDim                  = dim3(32);
    wanted.kernelParams = arguments;
    if (!recorded) {
        cudaGraph_t graph;
        CHECK(cudaGraphCreate(&graph, 0));
        for (int i = 0; i < MANY; i++)
            CHECK(cudaGraphAddKernelNode(&nodes[i], graph, i > 0 ? &nodes[i - 1] : nullptr, i > 0, &wanted));
        CHECK(cudaGraphInstantiate(&recorded, graph, 0));
    }
    for (cudaGraphNode_t node : nodes)
        CHECK(cudaGraphExecKernelNodeSetParams(recorded, node, &wanted));
    CHECK(cudaGraphLaunch(recorded, 0));
}

/* Without this, the pool gives all memory back whenever the host waits. */
static void keep_freed()
{
    static bool done;
    unsigned long long all = ~0ull;
    cudaMemPool_t pool;
    if (done)
        return;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    done = true;
}

void call_floor(enum floor floor, const void *in, void *out)
{
    enum { SCRATCH = 1 << 16 /* bytes */ };
    void *memory;
    switch (floor) {
    case LAUNCH:
        launch(in, out, 1);
        break;
    case LAUNCHES:
        launch(in, out, MANY);
        break;
    case GRAPH:
        launch_graph(in, out);
        break;
    case POOL:
        keep_freed();
        CHECK(cudaMallocAsync(&memory, SCRATCH, 0));
        launch(in, memory, 1);
        CHECK(cudaFreeAsync(memory, 0));
        break;
    case HEAP:
        CHECK(cudaMalloc(&memory, SCRATCH));
        launch(in, memory, 1);
        CHECK(cudaFree(memory));
        break;
    case FLOORS:
        break;
    }
}
