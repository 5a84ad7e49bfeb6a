/* runner_device.h: what the runner asks of the device that it is built for: runner_simt.c, or runner_cuda.c.
 *
 * A call goes: device_allow, device_begin, for each array device_sample or device_name and device_mark,
 * device_arrays_stand, device_run, the device_collect_..., device_recover, and device_leaks when the arrays are gone. */
#ifndef LABS_RUNNER_DEVICE_H
#define LABS_RUNNER_DEVICE_H

#include "call.h"
#include "parts.h"
#include <cuda_runtime_api.h>

struct host {
    int socket;
    int memory;   /* descriptor of the memory file */
    size_t bytes; /* of it */
    const struct part *parts;
    const struct part **stock_part; /* in the library: the part that runs; may be null */
};

/* An array of the current call on the device. */
struct array {
    unsigned char *allocation; /* null: this argument owns no memory */
    unsigned char *begin;      /* where the guard before the array begins */
    size_t bytes;              /* of the allocation, as asked for */
};

struct job {
    const struct part *part;
    const struct call_request *request;
    union part_value values[CALL_ARGUMENTS];
    uint64_t result;
    cudaError_t error;
};

/* ---- of the runner (runner.c) ------------------------------------------------------------------------ */

/* At most size - 1 bytes of a text, which may be null, and a 0. */
void runner_copy_text(char *to, size_t size, const char *from);

/* The student's code, and the wait for all that it launched. `context` is a struct job. */
void runner_call_part(void *context);

/* ---- of the device ----------------------------------------------------------------------------------- */

/* Once, before a submission is loaded: takes what the filter of system calls will refuse. */
void device_open(void);

/* Once, for device_pass. False when the memory file cannot be used. */
bool device_open_memory(const struct host *host);

/* Copies between an array and the memory file, at this offset. */
cudaError_t device_pass(const struct host *host, uint64_t offset, unsigned char *array, size_t bytes,
                        enum cudaMemcpyKind kind);

/* From now on this library holds code that is not trusted. */
void device_guard(void);

/* Calls load(context), which runs what the submission executes when it is loaded. False when that came to no end, or crashed: `why`
 * says how. */
bool device_load(void (*load)(void *), void *context, char *why, size_t size);

/* Why the submission has no such part, though its file may define a function of that name. */
void device_explain_missing(const struct part *part, char *text, size_t size);

/* Which of the harness's functions the part may call. */
void device_allow(const struct host *host, const struct part *part);

/* Before the arrays are made. */
void device_begin(const struct call_request *request);

/* Reuses the memory of an array of the last call for one of this call. False when the device can't. */
bool device_renew(void *allocation);

/* Makes the array of a sampled run, which begins as zeros. */
void device_sample(const struct call_argument *argument, const struct array *array);

/* Names an array; and marks it when it has its contents. */
void device_name(const struct call_argument *argument, const struct array *array);
void device_mark(const struct call_argument *argument, const struct array *array);

/* All arrays are made: what is allocated from now on is the part's. */
void device_arrays_stand(void);

/* Calls the part. True when it returned by itself. */
bool device_run(struct job *job);

/* The part has returned; what it launched may still run. */
void device_returned(void);

/* What the device saw: findings, the most telling first; meters; and those by line. */
void device_collect_findings(struct call_reply *reply);
void device_collect_meters(struct call_reply *reply);
void device_collect_lines(struct call_reply *reply);
uint32_t device_used(void); /* enum simt_used */

/* After a fault the device refuses all calls until its next run begins. */
void device_recover(void);

/* How many allocations are left after our own arrays are gone. */
uint64_t device_leaks(void);

/* Instructions that the call has executed; 0 where nothing counts them. */
uint64_t device_executed(void);

#endif
