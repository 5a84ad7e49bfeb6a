/* The runtime API: graphs that are captured from streams; graph_nodes.c adds nodes by hand. A graph is the list of operations in the order in which they were
 * captured; a launch of the graph does them in that order. For the race check each captured stream is a branch with a stream of
 * its own, and events order the branches as they did in the capture. */
#include "runtime/graph_steps.h"
#include "core/error.h"
#include "runtime/copy.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

unsigned graph_captures;
static struct capture *newest; /* the capture that a call without a stream breaks */
static struct simt_graph *graphs;
static struct simt_graph_exec *executions;

/* ---- recording ------------------------------------------------------------------------------------------------------ */

static cudaStream_t captured(cudaStream_t stream)
{
    cudaStream_t found = graph_captures && !handles_is_default(stream) ? handles_find_stream(stream) : NULL;
    return found && found->capture ? found : NULL;
}

/* A new step of a captured stream; null when memory runs out, which breaks the capture. */
static struct step *add_step(cudaStream_t stream, enum step_kind kind, const struct api_call *call)
{
    struct simt_graph *graph = stream->capture->graph;
    struct step *step = calloc(1, sizeof *step);
    if (!step) {
        stream->capture->broken = true;
        return NULL;
    }
    *step = (struct step){.kind = kind, .branch = stream->branch};
    if (call)
        step->call = *call;
    *graph->end = step;
    graph->end = &step->next;
    graph->nodes += kind != STEP_RECORD && kind != STEP_WAIT;
    stream->steps++;
    return step;
}

/* A launch into the default stream waits for a captured stream, unless that is non-blocking. */
static const struct capture *implicit(cudaStream_t stream)
{
    const bool legacy = stream == NULL || stream == cudaStreamLegacy;
    return legacy && newest && !(newest->stream[0]->flags & cudaStreamNonBlocking) ? newest : NULL;
}

bool graph_captures_launch(const struct launch_request *request, size_t bytes, int *error)
{
    if (!graph_captures || current_thread)
        return false;
    const struct api_call call = {"launch", request->site};
    if (implicit(request->stream)) {
        *error = graph_refuses_stream(&call, request->stream);
        return true;
    }
    cudaStream_t stream = captured(request->stream);
    struct step *step = stream ? add_step(stream, STEP_KERNEL, &call) : NULL;
    *error = ERROR_NONE;
    if (step) {
        step->launch = *request;
        step->launch.arguments = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        if (step->launch.arguments)
            memcpy(step->launch.arguments, request->arguments, bytes);
        else
            stream->capture->broken = true;
    }
    return stream != NULL;
}

bool graph_captures_copy(const struct api_call *call, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind, cudaStream_t stream)
{
    stream = captured(stream);
    struct step *step = stream ? add_step(stream, STEP_COPY, call) : NULL;
    if (step) {
        step->to = to;
        step->from = from;
        step->bytes = bytes;
        step->direction = kind;
    }
    return stream != NULL;
}

bool graph_captures_fill(const struct api_call *call, void *to, int value, size_t bytes, cudaStream_t stream)
{
    stream = captured(stream);
    struct step *step = stream ? add_step(stream, STEP_FILL, call) : NULL;
    if (step) {
        step->to = to;
        step->value = value;
        step->bytes = bytes;
    }
    return stream != NULL;
}

bool graph_captures_host(const struct api_call *call, cudaHostFn_t function, void *data, cudaStream_t stream)
{
    stream = captured(stream);
    struct step *step = stream ? add_step(stream, STEP_HOST, call) : NULL;
    if (step) {
        step->function = function;
        step->data = data;
    }
    return stream != NULL;
}

bool graph_captures_record(const struct api_call *call, cudaEvent_t event, cudaStream_t stream)
{
    stream = captured(stream);
    event->capture = NULL; /* recorded outside, it is an ordinary event again */
    struct step *step = stream ? add_step(stream, STEP_RECORD, call) : NULL;
    if (step) {
        step->moment = stream->capture->graph->moments++;
        event->capture = stream->capture;
        event->stream = stream;
        event->steps = stream->steps;
        event->index = step->moment;
    }
    return stream != NULL;
}

/* A stream that waits for an event of a capture joins the capture. */
bool graph_captures_wait(const struct api_call *call, cudaEvent_t event, cudaStream_t stream)
{
    struct capture *capture = event->capture;
    if (!capture || handles_is_default(stream))
        return false;
    if (!stream->capture && capture->graph->branches < MOST_BRANCHES) {
        stream->capture = capture;
        stream->branch = capture->graph->branches++;
        stream->steps = stream->joined = 0;
        capture->stream[stream->branch] = stream;
    }
    if (stream->capture != capture) {
        graph_refuses_stream(call, stream);
        return true;
    }
    struct step *step = add_step(stream, STEP_WAIT, call);
    if (step)
        step->moment = event->index;
    if (event->stream->joined < event->steps)
        event->stream->joined = event->steps;
    return true;
}

/* ---- refusals ------------------------------------------------------------------------------------------------------- */

static cudaError_t refuse(struct capture *capture, const struct api_call *call, cudaError_t error,
                          enum simt_rule rule, enum simt_hint hint)
{
    capture->broken = true;
    return RUNTIME_FAIL(call, error, .rule = rule, .hint = hint);
}

cudaError_t graph_refuses_stream(const struct api_call *call, cudaStream_t stream)
{
    cudaStream_t found = captured(stream);
    if (found)
        return refuse(found->capture, call, cudaErrorStreamCaptureUnsupported, SIMT_RULE_STREAM_IS_CAPTURED,
                      SIMT_HINT_CAPTURE_HOLDS);
    if (implicit(stream))
        return refuse(newest, call, cudaErrorStreamCaptureImplicit, SIMT_RULE_DEFAULT_STREAM_IN_CAPTURE,
                      SIMT_HINT_CAPTURE_OTHERS_LATER);
    return cudaSuccess;
}

cudaError_t graph_refuses_call(const struct api_call *call)
{
    static const char *const always[] = {"cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaDeviceReset"};
    static const char *const unsafe[] = {"cudaMalloc",      "cudaFree",       "cudaMallocManaged",
                                         "cudaMallocPitch", "cudaMallocHost", "cudaFreeHost",
                                         "cudaHostAlloc"};
    bool wrong = false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        wrong = wrong || strcmp(call->function, always[i]) == 0;
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        wrong = wrong || (newest && newest->mode != cudaStreamCaptureModeRelaxed &&
                          strcmp(call->function, unsafe[i]) == 0);
    return wrong && newest ? refuse(newest, call, cudaErrorStreamCaptureUnsupported,
                                    SIMT_RULE_CALL_IN_CAPTURE, SIMT_HINT_CAPTURE_OTHERS_LATER)
                           : cudaSuccess;
}

/* ---- capturing ------------------------------------------------------------------------------------------------------ */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (!error && handles_is_default(stream))
        error = RUNTIME_FAIL(&call, cudaErrorStreamCaptureUnsupported, .rule = SIMT_RULE_CAPTURE_OF_DEFAULT,
                             .hint = SIMT_HINT_STREAM_LIFE);
    if (!error)
        error = runtime_check_stream(&call, stream);
    if (error)
        return error;
    struct capture *capture = calloc(1, sizeof *capture);
    struct simt_graph *graph = calloc(1, sizeof *graph);
    if (!capture || !graph) {
        free(capture);
        free(graph);
        return RUNTIME_FAIL(&call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_HOST_MEMORY_FULL);
    }
    graph_clear(graph, 1);
    *capture = (struct capture){.graph = graph, .mode = mode, .stream = {stream}};
    stream->capture = newest = capture;
    stream->branch = 0;
    graph_captures++;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!pGraph)
        return runtime_fail_null(&call, "pGraph");
    cudaStream_t origin = captured(stream);
    struct capture *capture = origin ? origin->capture : NULL;
    if (!capture || origin->branch != 0)
        return RUNTIME_FAIL(&call, cudaErrorIllegalState, .rule = SIMT_RULE_STREAM_IS_NOT_CAPTURED,
                            .hint = SIMT_HINT_CAPTURE_ENDS_WHERE_IT_BEGAN);
    bool joined = true;
    for (unsigned i = 0; i < capture->graph->branches; i++) {
        joined = joined && (i == 0 || capture->stream[i]->joined == capture->stream[i]->steps);
        capture->stream[i]->capture = NULL;
    }
    graph_captures--;
    newest = NULL;
    runtime_writes(&call, pGraph, sizeof(cudaGraph_t));
    *pGraph = NULL;
    if (capture->broken) /* which was reported then */
        return cudaErrorStreamCaptureInvalidated;
    if (!joined)
        return RUNTIME_FAIL(&call, cudaErrorStreamCaptureUnjoined, .rule = SIMT_RULE_CAPTURE_UNJOINED,
                            .hint = SIMT_HINT_CAPTURE_JOIN);
    *pGraph = capture->graph;
    graph_keep(capture->graph);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!pCaptureStatus)
        return runtime_fail_null(&call, "pCaptureStatus");
    runtime_writes(&call, pCaptureStatus, sizeof *pCaptureStatus);
    const struct CUstream_st *found = captured(stream);
    *pCaptureStatus = !found                   ? cudaStreamCaptureStatusNone
                      : found->capture->broken ? cudaStreamCaptureStatusInvalidated
                                               : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

/* ---- graphs --------------------------------------------------------------------------------------------------------- */

static cudaError_t not_good(const struct api_call *call, bool destroyed, const char *name)
{
    return RUNTIME_FAIL(call, cudaErrorInvalidValue,
                        .rule = destroyed ? SIMT_RULE_GRAPH_IS_DESTROYED : SIMT_RULE_NO_GRAPH,
                        .hint = SIMT_HINT_GRAPH_LIFE, .fact = {FACT_TEXT(ARGUMENT, name)});
}

void graph_keep(struct simt_graph *graph)
{
    graph->next = graphs;
    graphs = graph;
}

cudaError_t graph_check(const struct api_call *call, cudaGraph_t graph)
{
    cudaError_t error = runtime_enter(call);
    const struct simt_graph *at = graphs;
    while (at && at != graph)
        at = at->next;
    return error ? error : at && !at->destroyed ? cudaSuccess : not_good(call, at != NULL, "graph");
}

static cudaError_t check_execution(const struct api_call *call, cudaGraphExec_t execution)
{
    cudaError_t error = runtime_enter(call);
    const struct simt_graph_exec *at = executions;
    while (at && at != execution)
        at = at->next;
    return error ? error : at && !at->destroyed ? cudaSuccess : not_good(call, at != NULL, "graphExec");
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    API_ENTER;
    cudaError_t error = graph_check(&call, graph);
    if (error)
        return error;
    if (!numNodes || (nodes && !graph->by_hand))
        return RUNTIME_FAIL(&call, cudaErrorNotSupported, .rule = SIMT_RULE_GRAPH_HAS_NO_NODES);
    runtime_writes(&call, numNodes, sizeof *numNodes);
    const size_t most = nodes ? *numNodes : graph->nodes;
    *numNodes = graph->nodes;
    if (nodes)
        runtime_writes(&call, nodes, most * sizeof *nodes);
    for (size_t i = 0; nodes && i < most; i++)
        nodes[i] = i < graph->nodes ? graph->node[i] : NULL;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    API_ENTER;
    cudaError_t error = graph_check(&call, graph);
    if (!error)
        graph->destroyed = true;
    return error;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
    API_ENTER;
    (void)flags; /* how it is uploaded and freed, which is all the same here */
    cudaError_t error = graph_check(&call, graph);
    if (error)
        return error;
    if (!pGraphExec)
        return runtime_fail_null(&call, "pGraphExec");
    if (graph->by_hand)
        error = graph_order(&call, graph, &graph);
    if (error)
        return error;
    struct simt_graph_exec *execution = calloc(1, sizeof *execution);
    struct moment *moment = calloc(graph->moments + 1, sizeof *moment);
    cudaStream_t *stream = calloc(graph->branches, sizeof(cudaStream_t));
    if (!execution || !moment || !stream) {
        free(execution);
        free(moment);
        free(stream);
        return RUNTIME_FAIL(&call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_HOST_MEMORY_FULL);
    }
    *execution =
        (struct simt_graph_exec){.next = executions, .graph = graph, .moment = moment, .stream = stream};
    for (unsigned i = 1; i < graph->branches; i++) {
        execution->stream[i] = handles_add_stream(call.site);
        if (execution->stream[i])
            timeline_add_stream(execution->stream[i], false);
    }
    executions = execution;
    runtime_writes(&call, pGraphExec, sizeof(cudaGraphExec_t));
    *pGraphExec = execution;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    API_ENTER;
    cudaError_t error = check_execution(&call, graphExec);
    if (error)
        return error;
    graphExec->destroyed = true;
    for (unsigned i = 1; i < graphExec->graph->branches; i++)
        graphExec->stream[i]->destroyed = true;
    return cudaSuccess;
}

static cudaError_t do_step(const struct step *step, struct moment *moment, cudaStream_t stream)
{
    struct launch_request launch = step->launch;
    switch (step->kind) {
    case STEP_KERNEL:
        launch.stream = stream;
        return (cudaError_t)launch_run(&launch);
    case STEP_COPY:
        return copy_queued(&step->call, step->to, step->from, step->bytes, step->direction, stream);
    case STEP_FILL:
        return fill_queued(&step->call, step->to, step->value, step->bytes, stream);
    case STEP_HOST:
        runtime_call_host(&step->call, step->function, step->data, stream);
        break;
    case STEP_RECORD:
        timeline_record(&moment[step->moment], stream);
        break;
    case STEP_WAIT:
        timeline_stream_waits(stream, &moment[step->moment]);
        break;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    API_ENTER;
    cudaError_t error = check_execution(&call, graphExec);
    if (!error)
        error = runtime_check_stream(&call, stream);
    if (error)
        return error;
    struct moment *begin = &graphExec->moment[graphExec->graph->moments];
    timeline_record(begin, stream);
    for (unsigned i = 1; i < graphExec->graph->branches; i++)
        timeline_stream_waits(graphExec->stream[i], begin);
    for (const struct step *step = graphExec->graph->first; step && !error; step = step->next)
        error = do_step(step, graphExec->moment, step->branch ? graphExec->stream[step->branch] : stream);
    for (unsigned i = 1; i < graphExec->graph->branches; i++) {
        timeline_record(begin, graphExec->stream[i]);
        timeline_stream_waits(stream, begin);
    }
    if (error)
        error_set_last(error);
    return error;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    API_ENTER;
    cudaError_t error = check_execution(&call, graphExec);
    return error ? error : runtime_check_stream(&call, stream);
}
