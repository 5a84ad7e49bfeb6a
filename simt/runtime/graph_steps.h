/* graph_steps.h: what a graph consists of. Internal to graph.c and graph_nodes.c. */
#ifndef SIMT_GRAPH_STEPS_H
#define SIMT_GRAPH_STEPS_H

#include "core/handles.h"
#include "core/timeline.h"
#include "runtime/graph.h"

enum { MOST_BRANCHES = 64 }; /* of a capture */

enum step_kind { STEP_KERNEL, STEP_COPY, STEP_FILL, STEP_HOST, STEP_RECORD, STEP_WAIT };

struct step {
    struct step *next;
    enum step_kind kind;
    unsigned branch; /* 0: the stream in which the capture began */
    struct api_call call;
    struct launch_request launch; /* its arguments are a copy */
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind direction;
    int value;
    cudaHostFn_t function;
    void *data;
    unsigned moment; /* of an event: its index in the execution's moments */
};

/* Handles are kept after they are destroyed, so that a later use is recognised, and because executions use the steps. */
struct simt_graph {
    struct simt_graph *next;
    struct step *first, **end;
    size_t nodes;
    unsigned branches, moments;
    bool destroyed;
    bool by_hand; /* made by cudaGraphCreate: it has `node` instead of steps, branches and moments */
    struct simt_graph_node **node;
};

/* Makes it an empty graph of steps, with this number of branches. */
static inline void graph_clear(struct simt_graph *graph, unsigned branches)
{
    *graph = (struct simt_graph){.end = &graph->first, .branches = branches};
}

struct simt_graph_exec {
    struct simt_graph_exec *next;
    const struct simt_graph *graph;
    cudaStream_t *stream;  /* of the branches after the first */
    struct moment *moment; /* of the events, and one more for the beginning and the ends of branches */
    bool destroyed;
};

/* A capture that is going on. */
struct capture {
    struct simt_graph *graph;
    enum cudaStreamCaptureMode mode;
    bool broken; /* a wrong call has ended it */
    cudaStream_t stream[MOST_BRANCHES];
};

/* Keeps a graph, so that graph_check recognises its handle. */
void graph_keep(struct simt_graph *graph);

/* Returns cudaSuccess for a graph that is not destroyed, or reports it and returns the error. */
cudaError_t graph_check(const struct api_call *call, cudaGraph_t graph);

/* Puts the nodes of a graph that was made by hand in an order in which each comes after those that it needs. *ordered becomes
 * a graph of steps. Independent nodes are in different branches. Reports nodes that need each other. */
cudaError_t graph_order(const struct api_call *call, const struct simt_graph *graph,
                        struct simt_graph **ordered);

#endif
