/* timeline.h: which launches and copies happen before which, by streams, events and the host's waits. Internal.
 *
 * Here everything is done when its call returns; on a GPU a launch, or a copy that the host does not wait for, is only put
 * into a stream. What is kept here is the order that CUDA promises: within a stream; between the legacy default stream and
 * all others that are not non-blocking; from an event's record to whoever waits for the event; from what the host has
 * waited for to all that it issues after that. What one host thread has waited for counts for all host threads, since their
 * own synchronization is not followed. */
#ifndef SIMT_TIMELINE_H
#define SIMT_TIMELINE_H

#include "core/thread.h"

/* An arrival is a copy that the caller of the code under test has begun before. */
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

/* What is done at a moment: for each stream, the number of its last operation that is. */
struct moment {
    uint64_t *done; /* [streams] */
    unsigned streams;
};

/* Starts an operation in operation->stream: fills in number and identities. Until the next one starts,
 * timeline_happened_before and timeline_floor are about this one. False when identities have run out: then all shadow cells
 * must be cleared and timeline_restart called before it is tried again. */
bool timeline_begin(struct operation *operation);
void timeline_restart(void);

/* Is the operation with this identity done before the current one begins? Before what the host does now? */
bool timeline_happened_before(uint32_t identity);
bool timeline_happened_before_host(uint32_t identity);

/* All operations with identities below this are. */
uint32_t timeline_floor(void);
uint32_t timeline_host_floor(void);

/* An operation that neither the host nor the default stream waits for; null when there is none. */
const struct operation *timeline_unjoined(void);

/* May something run on the device that the host has not waited for? */
extern bool timeline_running;
/* Has the program made a stream? Else every operation happens before the next. */
bool timeline_has_streams(void);

/* The operation with this identity; null when nothing can run concurrently with it any more. */
const struct operation *timeline_operation(uint32_t identity);

/* ---- called by the runtime ---------------------------------------------------------------------------------- */

void timeline_add_stream(void *stream, bool blocking);
unsigned
timeline_stream_number(const void *stream);  /* 0: the default stream; else in the order they were made */
void timeline_wait_for_stream(void *stream); /* the host waits */
void timeline_wait_for_device(void);

/* Of an event: *moment is what is done when the event is. */
void timeline_record(struct moment *moment, void *stream);
void timeline_stream_waits(void *stream, const struct moment *moment);
void timeline_host_waits(const struct moment *moment);
void timeline_host_sees(uint32_t identity); /* the host knows that this operation has come so far */

#endif
