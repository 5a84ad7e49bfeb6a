/* timeline.h: which launches and copies happen before which others, by streams, events and the host's waits.
 * Internal.
 *
 * On this device every operation is done when its call returns. On a GPU a launch, or a copy for which the host
 * does not wait, is only put into a stream. This file tracks the order that CUDA promises: within a stream; between
 * the legacy default stream and all streams that are not non-blocking; from the record of an event to everything
 * that waits for it; and from operations for which the host has waited to everything that it issues later. A wait
 * of one host thread counts for all host threads, because the program's own synchronization between them is not
 * followed. */
#ifndef SIMT_TIMELINE_H
#define SIMT_TIMELINE_H

#include "core/thread.h"

/* An arrival is a copy that the caller began before it called the code under test. */
enum operation_kind {
    OPERATION_LAUNCH,
    OPERATION_COPY,
    OPERATION_FILL,
    OPERATION_FREE, /* cudaFreeAsync */
    OPERATION_CALLBACK,
    OPERATION_ARRIVAL
};

/* Each block of a launch has its own identity; a copy counts as one block. */
struct operation {
    enum operation_kind kind;
    uint32_t first, count; /* range of identities */
    uint64_t number;       /* 1 for the first operation of the process */
    const char *kernel;    /* the kernel of a launch */
    const void *site;      /* site of the call */
    void *stream;
    struct index3 grid, dim;
};

/* What is done at a moment: for each stream, the number of its last operation that is done. */
struct moment {
    uint64_t *done; /* [streams] */
    unsigned streams;
};

/* Starts an operation in operation->stream and fills in its number and identities. Until the next operation starts,
 * timeline_happened_before and timeline_floor refer to this one. Returns false when the identities have run out.
 * Then all shadow cells must be cleared and timeline_restart called before the next try. */
bool timeline_begin(struct operation *operation);
void timeline_restart(void);

/* Is the operation with this identity done before the current operation begins? And is it done before what the host
 * does now? */
bool timeline_happened_before(uint32_t identity);
bool timeline_happened_before_host(uint32_t identity);

/* All operations with identities below this are done before that. */
uint32_t timeline_floor(void);
uint32_t timeline_host_floor(void);

/* An operation for which neither the host nor the default stream waits; null when there is none. */
const struct operation *timeline_unjoined(void);

/* True while operations may run on the device for which the host has not waited. */
extern bool timeline_running;
/* Has the program created a stream? If not, all operations are ordered. */
bool timeline_has_streams(void);

/* The operation with this identity; null when nothing can run concurrently with it any more. */
const struct operation *timeline_operation(uint32_t identity);

/* ---- called by the runtime ---------------------------------------------------------------------------------- */

void timeline_add_stream(void *stream, bool blocking);
void timeline_destroy_stream(void *stream);
/* 0: the default stream. The number of a destroyed stream may be given again. */
unsigned timeline_stream_number(const void *stream);
void timeline_wait_for_stream(void *stream); /* the host waits for the stream */
void timeline_wait_for_device(void);

/* For an event: *moment becomes what is done when the event is. */
void timeline_record(struct moment *moment, void *stream);
void timeline_stream_waits(void *stream, const struct moment *moment);
void timeline_host_waits(const struct moment *moment);
void timeline_host_sees(uint32_t identity); /* the host has observed that this operation began */

#endif
