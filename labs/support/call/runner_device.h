/* runner_device.h: the interface between the runner and the device for which it is built: runner_simt.c or
 * runner_cuda.c.
 *
 * The order of calls: device_receive, device_allow, device_begin, for each array device_map, device_sample, or device_name and
 * device_mark,
 * device_arrays_stand, device_run, the functions device_collect_..., device_recover, and device_leaks when the
 * arrays have been freed. */
#ifndef LABS_RUNNER_DEVICE_H
#define LABS_RUNNER_DEVICE_H

#include "call.h"
#include "parts.h"
#include <cuda_runtime_api.h>

struct host {
    int socket;
    int memory;   /* descriptor of the memory file */
    size_t bytes; /* size of the memory file */
    const struct part *parts;
    const struct part **stock_part; /* variable in the library for the running part; may be null */
};

/* An array on the device in the current call. */
struct array {
    unsigned char *allocation; /* null: this argument has no memory of its own */
    unsigned char *begin;      /* start of the guard before the array */
    size_t bytes;              /* size of the allocation, as requested */
};

struct job {
    const struct part *part;
    const struct call_request *request;
    union part_value values[CALL_ARGUMENTS];
    uint64_t result;
    cudaError_t error;
};

/* ---- defined by the runner (runner.c) ---------------------------------------------------------------- */

/* Copies at most size - 1 bytes of a text, which may be null, and adds a 0. */
void runner_copy_text(char *to, size_t size, const char *from);

/* Calls the student's code and waits for everything that it launched. `context` is a struct job. */
void runner_call_part(void *context);

/* ---- defined by the device --------------------------------------------------------------------------- */

/* Called once before a submission is loaded: acquires the resources that the filter of system calls will forbid. */
void device_open(void);

/* Called once, for device_pass. Returns false when the memory file cannot be used. */
bool device_open_memory(const struct host *host);

/* Copies between an array and the memory file at this offset. */
cudaError_t device_pass(const struct host *host, uint64_t offset, unsigned char *array, size_t bytes,
                        enum cudaMemcpyKind kind);

/* Waits for a request, and for the memory of its arrays if they come with it. What an earlier request brought is
 * unmapped then. Returns false when the suite has closed the socket. */
bool device_receive(const struct host *host, struct call_request *request);

/* The memory of the next array that came with the request. Returns null, or why it cannot be used. */
const char *device_map(size_t bytes, void **pointer);

/* The next library to be loaded contains code that is not trusted. */
void device_guard(void);

/* Calls load(context), which runs the submission's code for loading. Returns false when that crashed or did not
 * end; then `why` has the reason. */
bool device_load(void (*load)(void *), void *context, char *why, size_t size);

/* Explains why the submission lacks the part, although its file may define a function with that name. */
void device_explain_missing(const struct part *part, char *text, size_t size);

/* Sets which stock functions the part may call. */
void device_allow(const struct host *host, const struct part *part);

/* Called before the arrays are made. */
void device_begin(const struct call_request *request);

/* Reuses the memory of an array of the last call. Returns false when the device cannot. */
bool device_renew(void *allocation);

/* Prepares the array of a sampled run, which starts as zeros. */
void device_sample(const struct call_argument *argument, const struct array *array);

/* device_name names an array; device_mark marks it after it has received its contents. */
void device_name(const struct call_argument *argument, const struct array *array);
void device_mark(const struct call_argument *argument, const struct array *array);

/* All arrays have been made: later allocations belong to the part. */
void device_arrays_stand(void);

/* Calls the part. Returns true when it returns normally. */
bool device_run(struct job *job);

/* The part has returned; kernels that it launched may still run. */
void device_returned(void);

/* The device's findings, the most important first; its meters; and the meters by line. */
void device_collect_findings(struct call_reply *reply);
void device_collect_meters(struct call_reply *reply);
void device_collect_lines(struct call_reply *reply);
uint32_t device_used(void);                             /* enum simt_used */
void device_collect_explored(struct call_reply *reply); /* CPU device only */

/* After a fault the device refuses all calls until this begins its next run. */
void device_recover(void);

/* The number of allocations that remain after the runner's own arrays have been freed. */
uint64_t device_leaks(void);

/* Sets the reply's numbers of executed instructions; 0 if the device does not count them. */
void device_count_work(struct call_reply *reply);

#endif
