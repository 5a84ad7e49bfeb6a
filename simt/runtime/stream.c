/* The runtime API: streams and events. A launch or a copy is done when its call returns, so no stream has pending
 * work. These functions check handles, record the order for the race check, and measure the time between two
 * events. */
#include "checks/races/races.h"
#include "core/handles.h"
#include "core/timeline.h"
#include "report/finding.h"
#include "runtime/graph.h"
#include "runtime/runtime.h"

#include <stdlib.h>
#include <time.h>

/* ---- handles ------------------------------------------------------------------------------------------------ */

cudaError_t runtime_check_stream(const struct api_call *call, cudaStream_t stream)
{
    if (handles_stream_is_good(stream))
        return graph_captures ? graph_refuses_stream(call, stream) : cudaSuccess;
    return RUNTIME_FAIL(call, cudaErrorInvalidResourceHandle,
                        .rule =
                            handles_find_stream(stream) ? SIMT_RULE_STREAM_IS_DESTROYED : SIMT_RULE_NO_STREAM,
                        .hint = SIMT_HINT_STREAM_LIFE);
}

/* The event, or null after a finding. */
static struct CUevent_st *check_event(const struct api_call *call, cudaEvent_t event, const char *name)
{
    struct CUevent_st *at = handles_find_event(event);
    if (at && !at->destroyed)
        return at;
    RUNTIME_FAIL(call, cudaErrorInvalidResourceHandle,
                 .rule = at ? SIMT_RULE_EVENT_IS_DESTROYED : SIMT_RULE_NO_EVENT, .hint = SIMT_HINT_EVENT_LIFE,
                 .fact = {FACT_TEXT(ARGUMENT, name)});
    return NULL;
}

/* ---- streams ------------------------------------------------------------------------------------------------- */

static cudaError_t create_stream(const struct api_call *call, cudaStream_t *stream, unsigned flags,
                                 int priority)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    if (!stream)
        return runtime_fail_null(call, "pStream");
    if (flags & ~(unsigned)cudaStreamNonBlocking)
        return runtime_fail_value(call, "flags", flags, SIMT_HINT_STREAM_FLAGS);
    runtime_writes(call, stream, sizeof *stream);
    cudaStream_t added = handles_add_stream(call->site);
    if (!added)
        return RUNTIME_FAIL(call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_HOST_MEMORY_FULL);
    int least, greatest;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    added->flags = flags;
    added->priority = priority > least ? least : priority < greatest ? greatest : priority;
    timeline_add_stream(added, !(flags & cudaStreamNonBlocking));
    *stream = added;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    API_ENTER;
    return create_stream(&call, pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    API_ENTER;
    return create_stream(&call, pStream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    API_ENTER;
    return create_stream(&call, pStream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (handles_is_default(stream))
        return RUNTIME_FAIL(&call, cudaErrorInvalidResourceHandle,
                            .rule = SIMT_RULE_DEFAULT_STREAM_DESTROYED);
    error = runtime_check_stream(&call, stream);
    if (error)
        return error;
    timeline_destroy_stream(stream);
    stream->destroyed = true;
    return cudaSuccess;
}

static cudaError_t use_stream(const struct api_call *call, cudaStream_t stream)
{
    cudaError_t error = runtime_enter(call);
    return error ? error : runtime_check_stream(call, stream);
}

/* A query counts as a wait, because it always returns that everything is done. */
static cudaError_t wait_for_stream(const struct api_call *call, cudaStream_t stream)
{
    cudaError_t error = use_stream(call, stream);
    if (!error)
        timeline_wait_for_stream(stream);
    return error;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    API_ENTER;
    return wait_for_stream(&call, stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    API_ENTER;
    return wait_for_stream(&call, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    API_ENTER;
    (void)flags;
    cudaEvent_t known = graph_captures ? handles_find_event(event) : NULL;
    if (known && handles_stream_is_good(stream) && graph_captures_wait(&call, known, stream))
        return cudaSuccess;
    cudaError_t error = use_stream(&call, stream);
    if (error)
        return error;
    const struct CUevent_st *found = check_event(&call, event, "event");
    if (!found)
        return cudaErrorInvalidResourceHandle;
    timeline_stream_waits(stream, &found->moment);
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    API_ENTER;
    cudaError_t error = use_stream(&call, stream);
    if (error)
        return error;
    if (!flags)
        return runtime_fail_null(&call, "flags");
    runtime_writes(&call, flags, sizeof *flags);
    *flags = handles_is_default(stream) ? (unsigned)cudaStreamDefault : stream->flags;
    return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    API_ENTER;
    cudaError_t error = use_stream(&call, stream);
    if (error)
        return error;
    if (!priority)
        return runtime_fail_null(&call, "priority");
    runtime_writes(&call, priority, sizeof *priority);
    *priority = handles_is_default(stream) ? 0 : stream->priority;
    return cudaSuccess;
}

/* A callback may wait for another host thread that itself waits for the device, so the device is left meanwhile.
 * Everything that the callback signals happens after the stream's earlier operations. */
static unsigned begin_callback(const struct api_call *call, cudaStream_t stream)
{
    races_begin_callback(stream, call->site);
    if (!host_is_alone())
        timeline_wait_for_stream(stream);
    return host_leave_wholly();
}

static void end_callback(unsigned entered)
{
    host_enter_again(entered);
    races_end_callback();
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags)
{
    API_ENTER;
    cudaError_t error = use_stream(&call, stream);
    if (error)
        return error;
    if (!callback)
        return runtime_fail_null(&call, "callback");
    if (flags != 0)
        return RUNTIME_FAIL(&call, cudaErrorInvalidValue, .rule = SIMT_RULE_ARGUMENT_NOT_0,
                            .fact = {FACT_TEXT(ARGUMENT, "flags"), FACT_NUMBER(VALUE, flags)});
    const unsigned entered = begin_callback(&call, stream);
    callback(stream, cudaSuccess, userData);
    end_callback(entered);
    return cudaSuccess;
}

void runtime_call_host(const struct api_call *call, cudaHostFn_t function, void *data, cudaStream_t stream)
{
    const unsigned entered = begin_callback(call, stream);
    function(data);
    end_callback(entered);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    API_ENTER;
    if (fn && graph_captures && graph_captures_host(&call, fn, userData, stream))
        return cudaSuccess;
    cudaError_t error = use_stream(&call, stream);
    if (error)
        return error;
    if (!fn)
        return runtime_fail_null(&call, "fn");
    runtime_call_host(&call, fn, userData, stream);
    return cudaSuccess;
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static cudaError_t create_event(const struct api_call *call, cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    if (!event)
        return runtime_fail_null(call, "event");
    if (flags & ~(unsigned)(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
        return runtime_fail_value(call, "flags", flags, SIMT_HINT_EVENT_FLAGS);
    runtime_writes(call, event, sizeof *event);
    cudaEvent_t added = handles_add_event(call->site);
    if (!added)
        return RUNTIME_FAIL(call, cudaErrorMemoryAllocation, .rule = SIMT_RULE_HOST_MEMORY_FULL);
    added->flags = flags;
    *event = added;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    API_ENTER;
    return create_event(&call, event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    API_ENTER;
    return create_event(&call, event, flags);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    API_ENTER;
    struct CUevent_st *found = handles_find_event(event);
    if (found && !found->destroyed && graph_captures_record(&call, found, stream))
        return cudaSuccess;
    cudaError_t error = use_stream(&call, stream);
    if (error)
        return error;
    found = check_event(&call, event, "event");
    if (!found)
        return cudaErrorInvalidResourceHandle;
    found->recorded = true;
    timeline_record(&found->moment, stream);
    clock_gettime(CLOCK_MONOTONIC, &found->time);
    return cudaSuccess;
}

/* An event that was never recorded counts as done, as in the real runtime. */
static cudaError_t use_event(const struct api_call *call, cudaEvent_t event)
{
    cudaError_t error = runtime_enter(call);
    if (error)
        return error;
    const struct CUevent_st *found = check_event(call, event, "event");
    if (!found)
        return cudaErrorInvalidResourceHandle;
    if (found->capture)
        return RUNTIME_FAIL(call, cudaErrorCapturedEvent, .rule = SIMT_RULE_EVENT_IS_CAPTURED,
                            .hint = SIMT_HINT_CAPTURE_HOLDS);
    timeline_host_waits(&found->moment);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    API_ENTER;
    return use_event(&call, event);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    API_ENTER;
    return use_event(&call, event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    if (!ms)
        return runtime_fail_null(&call, "ms");
    runtime_writes(&call, ms, sizeof *ms);
    const struct CUevent_st *from = check_event(&call, start, "start");
    const struct CUevent_st *to = from ? check_event(&call, end, "end") : NULL;
    if (!to)
        return cudaErrorInvalidResourceHandle;
    if ((from->flags | to->flags) & cudaEventDisableTiming)
        return RUNTIME_FAIL(
            &call, cudaErrorInvalidResourceHandle, .rule = SIMT_RULE_EVENT_WITHOUT_TIMING,
            .hint = SIMT_HINT_EVENTS_WITH_TIMING,
            .fact = {FACT_TEXT(ARGUMENT, from->flags & cudaEventDisableTiming ? "start" : "end")});
    if (!from->recorded || !to->recorded)
        return RUNTIME_FAIL(&call, cudaErrorInvalidResourceHandle, .rule = SIMT_RULE_EVENT_NOT_RECORDED,
                            .hint = SIMT_HINT_RECORD_BOTH,
                            .fact = {FACT_TEXT(ARGUMENT, from->recorded ? "end" : "start")});
    double seconds = (double)(to->time.tv_sec - from->time.tv_sec);
    double nanoseconds = (double)(to->time.tv_nsec - from->time.tv_nsec);
    *ms = (float)(seconds * 1e3 + nanoseconds * 1e-6);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    API_ENTER;
    cudaError_t error = runtime_enter(&call);
    if (error)
        return error;
    struct CUevent_st *found = check_event(&call, event, "event");
    if (!found)
        return cudaErrorInvalidResourceHandle;
    found->destroyed = true;
    return cudaSuccess;
}
