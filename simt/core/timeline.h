/* timeline.h: which launches and copies are done before which, by streams, events and the host's waits. Internal.
 *
 * Here everything is done when its call comes back; on a GPU a launch, or a copy that the host does not wait for,
 * is only put into a stream. This is the order that CUDA promises all the same: within a stream; between the
 * legacy default stream and all others that are not non-blocking; from an event's record to who waits for it;
 * from what the host has waited for to all that it issues after. What one host thread has waited for counts for all of them:
 * how they tell each other is not followed. */
#ifndef SIMT_TIMELINE_H
#define SIMT_TIMELINE_H

#include "core/thread.h"

/* An arrival is the copy that a caller has begun before the call. */
enum operation_kind {
    OPERATION_LAUNCH,
    OPERATION_COPY,
    OPERATION_FILL,
    OPERATION_FREE, /* cudaFreeAsync */
    OPERATION_CALLBACK,
    OPERATION_ARRIVAL
};

/* Each block of a launch has an identity of its own; a copy counts as one block. */
struct operation {
    enum operation_kind kind;
    uint32_t first, count; /* identities */
    uint64_t number;       /* 1 for the first operation of the process */
    const char *kernel;    /* of a launch */
    const void *site;      /* of the call */
    void *stream;
    struct index3 grid, dim;
};

/* What is known to be done: for each stream, the number of its last operation that is. */
struct moment {
    uint64_t *done; /* [streams] */
    unsigned streams;
};

/* Starts an operation in operation->stream: fills in number and identities. What it comes after is asked of
 * timeline_knows and timeline_floor until the next one starts. False when identities have run out: then all
 * shadows must be forgotten before it is tried again. */
bool timeline_begin(struct operation *operation);
void timeline_restart(void);

/* Is the operation with this identity done before the current one begins, or before what the host does now? */
bool timeline_knows(uint32_t identity);
bool timeline_host_knows(uint32_t identity);

/* All identities below are. */
uint32_t timeline_floor(void);
uint32_t timeline_host_floor(void);

/* An operation that neither the host nor the default stream comes after; null when there is none. */
const struct operation *timeline_unjoined(void);

/* May something run on the device that the host has not waited for? */
extern bool timeline_running;
/* Has the program made a stream, so that order is not all in one line? */
bool timeline_has_streams(void);

/* Null when nothing can run beside it any more. */
const struct operation *timeline_operation(uint32_t identity);

/* ---- what the runtime tells ------------------------------------------------------------------------------- */

void timeline_add_stream(void *stream, bool blocking);
unsigned
timeline_stream_number(const void *stream);  /* 0: the default stream; else in the order they were made */
void timeline_wait_for_stream(void *stream); /* the host does */
void timeline_wait_for_device(void);

/* Of an event: what is done when it is. */
void timeline_record(struct moment *moment, void *stream);
void timeline_stream_waits(void *stream, const struct moment *moment);
void timeline_host_waits(const struct moment *moment);

#endif
