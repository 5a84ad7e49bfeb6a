/* handles.h: the streams and events that a program has made: which are valid, and which were never destroyed. Internal.
 * The order of what they hold is in timeline.h. */
#ifndef SIMT_HANDLES_H
#define SIMT_HANDLES_H

#include "core/timeline.h"
#include "include/driver_types.h"

#include <stdbool.h>
#include <time.h>

/* They are kept after they are destroyed, so that a later use of one is recognised. */
struct CUstream_st {
    struct CUstream_st *next;
    bool destroyed;
    unsigned flags;
    int priority;
    uint64_t serial;  /* 1 for the first stream or event */
    const void *site; /* where it was made */
};

struct CUevent_st {
    struct CUevent_st *next;
    bool destroyed;
    bool recorded;
    unsigned flags;
    struct timespec time; /* of the record */
    uint64_t serial;
    const void *site;
    struct moment moment; /* what is done when it is */
};

/* Null without memory. */
cudaStream_t handles_add_stream(const void *site);
cudaEvent_t handles_add_event(const void *site);

/* The handle itself, destroyed or not; null for a value that never was one. The default streams are not among them. */
cudaStream_t handles_find_stream(cudaStream_t stream);
cudaEvent_t handles_find_event(cudaEvent_t event);

bool handles_is_default(cudaStream_t stream);

/* May something be put into this stream? */
bool handles_stream_is_good(cudaStream_t stream);

/* How many streams and events were made so far. Calls stream() or event() for each that was made after that number and is
 * not destroyed, and returns how many there are. */
uint64_t handles_mark(void);
size_t handles_open(uint64_t mark, void (*stream)(const void *site), void (*event)(const void *site));

void handles_destroy_all(void);

#endif
