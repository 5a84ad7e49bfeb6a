/* handles.h: the streams and events that a program has created: which are valid, and which were never destroyed.
 * Internal. The order of the work in them is kept in timeline.h. */
#ifndef SIMT_HANDLES_H
#define SIMT_HANDLES_H

#include "core/timeline.h"
#include "include/driver_types.h"

#include <stdbool.h>
#include <time.h>

/* Handles are kept after they are destroyed, so that a later use is recognised. */
struct CUstream_st {
    struct CUstream_st *next;
    bool destroyed;
    unsigned flags;
    int priority;
    uint64_t serial;  /* 1 for the first stream or event */
    const void *site; /* where it was created */
    /* of runtime/graph.c: */
    struct capture *capture; /* null when it is not captured */
    unsigned branch, steps,
        joined; /* number of steps so far, and how many of them another stream has waited for */
};

struct CUevent_st {
    struct CUevent_st *next;
    bool destroyed;
    bool recorded;
    unsigned flags;
    struct timespec time; /* when it was recorded */
    uint64_t serial;
    const void *site;
    struct moment moment; /* the operations that are complete when the event is */
    /* of runtime/graph.c, for an event that was recorded in a capture: */
    struct capture *capture;
    struct CUstream_st *stream;
    unsigned steps, index; /* steps of that stream before it, and its number in the graph */
};

/* These return null when memory runs out. */
cudaStream_t handles_add_stream(const void *site);
cudaEvent_t handles_add_event(const void *site);

/* The handle itself, whether destroyed or not; null for a value that was never a handle. Default streams are not
 * included. */
cudaStream_t handles_find_stream(cudaStream_t stream);
cudaEvent_t handles_find_event(cudaEvent_t event);

bool handles_is_default(cudaStream_t stream);

/* May work be issued to this stream? */
bool handles_stream_is_good(cudaStream_t stream);

/* handles_mark returns the number of streams and events created so far. handles_open calls stream() or event() for
 * each that was created after that mark and is not destroyed, and returns their number. */
uint64_t handles_mark(void);
size_t handles_open(uint64_t mark, void (*stream)(const void *site), void (*event)(const void *site));

void handles_destroy_all(void);

#endif
