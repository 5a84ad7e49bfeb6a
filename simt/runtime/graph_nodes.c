/* The runtime API: graphs whose nodes a program adds one by one (cudaGraphCreate). The functions for each kind of node are in
 * include/simt_graph_api.h. They call the runtime with a stream that is captured into the node, so a node has the steps that a
 * capture would have. */
#include "core/error.h"
#include "runtime/graph_steps.h"

#include <stdlib.h>
#include <string.h>

struct simt_graph_node {
    struct simt_graph *graph;
    enum cudaGraphNodeType type;
    struct step *first; /* copies of rows may be several steps */
    struct simt_graph_node **needs;
    size_t needed;
    /* while the graph is put in order: */
    bool placed;
    unsigned branch, moment;
};

/* The node that is being added: only one at a time, as the device belongs to one host thread. */
static struct capture adding;
static struct simt_graph recorded;

static cudaError_t no_memory(const struct api_call *call)
{
    return RUNTIME_FAIL(call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_HOST_MEMORY_FULL);
}

static bool has(const struct simt_graph *graph, const struct simt_graph_node *node)
{
    size_t i = 0;
    while (i < graph->nodes && graph->node[i] != node)
        i++;
    return i < graph->nodes;
}

static bool add_needs(struct simt_graph_node *node, struct simt_graph_node *const *needs, size_t count)
{
    void *larger = realloc(node->needs, (node->needed + count) * sizeof *node->needs);
    if (!larger && count)
        return false;
    if (larger)
        node->needs = larger;
    if (count)
        memcpy(node->needs + node->needed, needs, count * sizeof *needs);
    node->needed += count;
    return true;
}

static bool add_node(struct simt_graph *graph, struct simt_graph_node *node)
{
    void *larger = realloc(graph->node, (graph->nodes + 1) * sizeof *graph->node);
    if (!larger)
        return false;
    graph->node = larger;
    graph->node[graph->nodes++] = node;
    node->graph = graph;
    return true;
}

/* ---- nodes ---------------------------------------------------------------------------------------------------------- */

cudaError_t simt_graph_node_begin(const char *name, cudaGraph_t graph, cudaGraphNode_t *node,
                                  enum cudaGraphNodeType type, const cudaGraphNode_t *needs, size_t count,
                                  cudaStream_t *stream);
cudaError_t simt_graph_node_end(cudaGraphNode_t node, cudaStream_t stream, cudaError_t error);

/* Makes a node of this type, whose operations are those that are issued to *stream before simt_graph_node_end. `name` is the
 * function that the program called. */
cudaError_t simt_graph_node_begin(const char *name, cudaGraph_t graph, cudaGraphNode_t *node,
                                  enum cudaGraphNodeType type, const cudaGraphNode_t *needs, size_t count,
                                  cudaStream_t *stream)
{
    API_ENTER;
    call.function = name;
    cudaError_t error = graph_check(&call, graph);
    if (error)
        return error;
    if (!node)
        return runtime_fail_null(&call, "pGraphNode");
    if (!graph->by_hand)
        return RUNTIME_FAIL(&call, cudaErrorNotSupported, .rule = SIMT_RULE_GRAPH_HAS_NO_NODES);
    if (count && !needs)
        return runtime_fail_null(&call, "pDependencies");
    for (size_t i = 0; i < count; i++)
        if (!has(graph, needs[i]))
            return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_NO_NODE_OF_GRAPH,
                                .fact = {FACT_NUMBER(VALUE, (int64_t)i)});
    struct simt_graph_node *made = calloc(1, sizeof *made);
    *stream = handles_add_stream(call.site);
    if (!made || !*stream || !add_needs(made, needs, count)) {
        free(made);
        return no_memory(&call);
    }
    made->type = type;
    made->graph = graph;
    graph_clear(&recorded, 1);
    adding = (struct capture){.graph = &recorded, .mode = cudaStreamCaptureModeRelaxed, .stream = {*stream}};
    (*stream)->capture = &adding;
    graph_captures++;
    runtime_writes(&call, node, sizeof(cudaGraphNode_t));
    *node = made;
    return cudaSuccess;
}

/* Adds the node to its graph, unless `error` says that its operations are wrong. */
cudaError_t simt_graph_node_end(cudaGraphNode_t node, cudaStream_t stream, cudaError_t error)
{
    API_ENTER;
    stream->capture = NULL;
    stream->destroyed = true; /* it is not the program's, which could not destroy it */
    graph_captures--;
    node->first = recorded.first;
    if (error || adding.broken || !add_node(node->graph, node)) {
        free(node->needs);
        free(node);
        return error ? error : no_memory(&call);
    }
    return cudaSuccess;
}

cudaError_t simt_graph_kernel_without_type(void);

/* Reports a kernel node whose `func` was not set in the way from which the device learns the kernel's parameters. */
cudaError_t simt_graph_kernel_without_type(void)
{
    API_ENTER;
    call.function = "cudaGraphAddKernelNode";
    return RUNTIME_FAIL(&call, cudaErrorInvalidDeviceFunction, .rule = SIMT_RULE_KERNEL_WITHOUT_TYPE);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!node || !pType)
        return runtime_fail_null(&call, node ? "pType" : "node");
    runtime_writes(&call, pType, sizeof *pType);
    *pType = node->type;
    return cudaSuccess;
}

/* ---- graphs --------------------------------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!pGraph)
        return runtime_fail_null(&call, "pGraph");
    if (flags)
        return runtime_fail_value(&call, "flags", flags, SIMT_HINT_NONE);
    struct simt_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return no_memory(&call);
    graph_clear(graph, 1);
    graph->by_hand = true;
    graph_keep(graph);
    runtime_writes(&call, pGraph, sizeof(cudaGraph_t));
    *pGraph = graph;
    return cudaSuccess;
}

/* The clone of a node at the same index. */
static struct simt_graph_node *same(const struct simt_graph *from, const struct simt_graph *to,
                                    const struct simt_graph_node *node)
{
    size_t i = 0;
    while (from->node[i] != node)
        i++;
    return to->node[i];
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    API_ENTER;
    cudaError_t error = graph_check(&call, originalGraph);
    if (error)
        return error;
    if (!pGraphClone)
        return runtime_fail_null(&call, "pGraphClone");
    struct simt_graph *clone = calloc(1, sizeof *clone);
    if (!clone)
        return no_memory(&call);
    *clone = *originalGraph;
    clone->node = NULL;
    clone->nodes = originalGraph->by_hand ? 0 : originalGraph->nodes;
    for (size_t i = 0; originalGraph->by_hand && i < originalGraph->nodes; i++) {
        struct simt_graph_node *node = calloc(1, sizeof *node);
        if (!node || !add_node(clone, node))
            return no_memory(&call);
        node->type = originalGraph->node[i]->type;
        node->first = originalGraph->node[i]->first;
    }
    for (size_t i = 0; originalGraph->by_hand && i < originalGraph->nodes; i++) {
        const struct simt_graph_node *from = originalGraph->node[i];
        for (size_t k = 0; k < from->needed; k++) {
            struct simt_graph_node *need = same(originalGraph, clone, from->needs[k]);
            if (!add_needs(clone->node[i], &need, 1))
                return no_memory(&call);
        }
    }
    graph_keep(clone);
    runtime_writes(&call, pGraphClone, sizeof(cudaGraph_t));
    *pGraphClone = clone;
    return cudaSuccess;
}

cudaError_t simt_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count);

/* The node to[i] needs from[i]. */
cudaError_t simt_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count)
{
    API_ENTER;
    call.function = "cudaGraphAddDependencies";
    cudaError_t error = graph_check(&call, graph);
    if (error)
        return error;
    if (count && (!from || !to))
        return runtime_fail_null(&call, from ? "to" : "from");
    for (size_t i = 0; i < count; i++)
        if (!has(graph, from[i]) || !has(graph, to[i]))
            return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_NO_NODE_OF_GRAPH,
                                .fact = {FACT_NUMBER(VALUE, (int64_t)i)});
    for (size_t i = 0; i < count; i++)
        if (!add_needs(to[i], &from[i], 1))
            return no_memory(&call);
    return cudaSuccess;
}

/* ---- order ---------------------------------------------------------------------------------------------------------- */

static bool append(struct simt_graph *graph, const struct step *step, unsigned branch)
{
    struct step *copy = malloc(sizeof *copy);
    if (!copy)
        return false;
    *copy = *step;
    copy->next = NULL;
    copy->branch = branch;
    *graph->end = copy;
    graph->end = &copy->next;
    return true;
}

/* Appends the node's steps, which wait for the nodes that it needs. `last` has the last node of each branch: a node continues
 * the branch of one that it needs, or else begins a new one. */
static bool place(struct simt_graph *graph, struct simt_graph_node *node, struct simt_graph_node **last)
{
    const struct simt_graph_node *before = NULL;
    for (size_t i = 0; i < node->needed && !before; i++)
        before = last[node->needs[i]->branch] == node->needs[i] ? node->needs[i] : NULL;
    node->branch = before ? before->branch : graph->branches++;
    node->moment = graph->moments++;
    node->placed = true;
    last[node->branch] = node;
    bool done = true;
    for (size_t i = 0; i < node->needed && done; i++)
        done =
            node->needs[i]->branch == node->branch ||
            append(graph, &(struct step){.kind = STEP_WAIT, .moment = node->needs[i]->moment}, node->branch);
    for (const struct step *step = node->first; step && done; step = step->next)
        done = append(graph, step, node->branch);
    return done && append(graph, &(struct step){.kind = STEP_RECORD, .moment = node->moment}, node->branch);
}

static bool is_ready(const struct simt_graph_node *node)
{
    bool ready = !node->placed;
    for (size_t i = 0; i < node->needed; i++)
        ready = ready && node->needs[i]->placed;
    return ready;
}

cudaError_t graph_order(const struct api_call *call, const struct simt_graph *graph,
                        struct simt_graph **ordered)
{
    struct simt_graph *made = calloc(1, sizeof *made);
    struct simt_graph_node **last = calloc(graph->nodes + 1, sizeof(struct simt_graph_node *));
    bool stored = made && last;
    if (stored) {
        graph_clear(made, 0);
        made->nodes = graph->nodes;
    }
    for (size_t i = 0; i < graph->nodes; i++)
        graph->node[i]->placed = false;
    size_t placed = 0, before;
    do {
        before = placed;
        for (size_t i = 0; i < graph->nodes && stored; i++) {
            if (is_ready(graph->node[i])) {
                stored = place(made, graph->node[i], last);
                placed++;
            }
        }
    } while (placed > before);
    free(last);
    if (!stored)
        return no_memory(call);
    if (placed < graph->nodes)
        return RUNTIME_FAIL(call, cudaErrorInvalidValue, .rule = SIMT_RULE_GRAPH_NODES_IN_A_CIRCLE);
    made->branches += made->branches == 0; /* the launch's stream is the first */
    *ordered = made;
    return cudaSuccess;
}
