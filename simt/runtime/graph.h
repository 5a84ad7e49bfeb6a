/* graph.h: what the other files of the runtime do while a stream is captured into a graph. Internal. */
#ifndef SIMT_GRAPH_H
#define SIMT_GRAPH_H

#include "core/launch.h"
#include "runtime/runtime.h"

/* Whether any stream is being captured. The functions below are called only then, except graph_captures_launch. */
extern unsigned graph_captures;

/* If the launch's stream is captured, keeps the launch, of whose arguments there are `bytes`, and returns true. A launch that
 * a capture forbids is reported, and its error is in *error. */
bool graph_captures_launch(const struct launch_request *request, size_t bytes, int *error);

/* These return true if the stream is captured, and keep the operation. */
bool graph_captures_copy(const struct api_call *call, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind, cudaStream_t stream);
bool graph_captures_fill(const struct api_call *call, void *to, int value, size_t bytes, cudaStream_t stream);
bool graph_captures_host(const struct api_call *call, cudaHostFn_t function, void *data, cudaStream_t stream);
bool graph_captures_record(const struct api_call *call, cudaEvent_t event, cudaStream_t stream);
bool graph_captures_wait(const struct api_call *call, cudaEvent_t event, cudaStream_t stream);

/* For all other functions: reports a stream that is captured, or a call that must not be made meanwhile, ends the capture and
 * returns the error; else cudaSuccess. */
cudaError_t graph_refuses_stream(const struct api_call *call, cudaStream_t stream);
cudaError_t graph_refuses_call(const struct api_call *call);

#endif
