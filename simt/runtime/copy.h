/* copy.h: definitions that the copies of arrays and of variables share. Internal. */
#ifndef SIMT_COPY_H
#define SIMT_COPY_H

#include "runtime/runtime.h"

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_EITHER };

/* One end of a copy: `bytes` counts from the first to the last byte that is accessed. */
struct end {
    const char *name; /* name of the parameter */
    const void *address;
    size_t bytes;
    enum side side;
    size_t left; /* bytes to the end of its object as derived by the compiler, or SIZE_MAX */
};

/* Checks that the memory is on the side that `claim` names and is long enough. Returns cudaSuccess, or reports and
 * returns the error. */
cudaError_t copy_check_end(const struct api_call *call, const struct end *end, const char *claim);

/* For example "cudaMemcpyHostToDevice"; null when there is no such direction. */
const char *copy_direction(enum cudaMemcpyKind kind);

/* The stream of a copy or fill, and whether the host continues without waiting for it. */
struct queue {
    cudaStream_t stream;
    bool asynchronous;
};
#define WAITED         ((struct queue){NULL, false})
#define QUEUED(stream) ((struct queue){stream, true})
/* For functions that implement both kinds of calls. */
#define WAITED_IF_DEFAULT(stream) ((struct queue){stream, (stream) != NULL})

/* An asynchronous copy and fill, as cudaMemcpyAsync and cudaMemsetAsync do them. */
cudaError_t copy_queued(const struct api_call *call, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t fill_queued(const struct api_call *call, void *to, int value, size_t bytes, cudaStream_t stream);

/* Calls the observers and moves the bytes. Both ends have already been checked. */
void copy_move(const struct api_call *call, void *to, const void *from, size_t bytes, struct queue queue);

#endif
