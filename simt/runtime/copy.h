/* copy.h: what the copies of arrays and of variables share. Internal. */
#ifndef SIMT_COPY_H
#define SIMT_COPY_H

#include "runtime/runtime.h"

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_EITHER };

/* One end of a copy: `bytes` from the first to the last byte touched. */
struct end {
    const char *name; /* of the parameter */
    const void *address;
    size_t bytes;
    enum side side;
    size_t
        left; /* bytes from the address to the end of its object, as the compiler knows them; SIZE_MAX: it does not */
};

/* cudaSuccess; or the error, reported, when the memory is not on the side that `claim` says, or too short. */
cudaError_t copy_check_end(const struct api_call *call, const struct end *end, const char *claim);

/* "cudaMemcpyHostToDevice"; null when there is no such direction. */
const char *copy_direction(enum cudaMemcpyKind kind);

/* The stream that a copy or fill is put into, and whether the host goes on without waiting for it. */
struct queue {
    cudaStream_t stream;
    bool asynchronous;
};
#define WAITED         ((struct queue){NULL, false})
#define QUEUED(stream) ((struct queue){stream, true})
/* For the functions that serve both kinds of calls. */
#define WAITED_IF_DEFAULT(stream) ((struct queue){stream, (stream) != NULL})

/* Calls the observers and moves the bytes. Both ends have been checked before. */
void copy_move(const struct api_call *call, void *to, const void *from, size_t bytes, struct queue queue);

#endif
