/* launch.h: the description of a launch, and the call that runs it. Internal. */
#ifndef SIMT_CORE_LAUNCH_H
#define SIMT_CORE_LAUNCH_H

#include "core/thread.h"

/* Runs the kernel's body for the current thread. */
typedef void kernel_body(void *arguments);

struct launch_request {
    struct index3 grid, block;
    size_t dynamic_bytes;
    void *stream;
    bool cooperative;    /* true: all blocks are resident at once */
    const char *harness; /* for a kernel of the harness, whose shape is not checked: its name; else null */
    const void *kernel;  /* its address; null when unknown (template arguments deduced) */
    kernel_body *body;
    void *arguments;
    const void *site;
};

/* Checks a launch as the CUDA runtime does and runs it to its end. Returns a cudaError_t: 0, the error of a refusal
 * (invalid configuration, too much shared memory), or the sticky error that a fault left in this launch or an
 * earlier one. */
int launch_run(const struct launch_request *request);

/* The maximum of dynamic shared memory, in bytes, that a kernel may request; cudaFuncSetAttribute sets it. A null
 * kernel is one whose address is unknown; its maximum is the largest of all kernels. */
void launch_allow_dynamic(const void *kernel, size_t bytes);
void launch_begin_run(void); /* a launch that needs what an earlier run has allowed notes SIMT_USED_STATE */
size_t launch_allowed_dynamic(const void *kernel);

/* The number of the last launch; 0 before the first. */
uint64_t launch_last_number(void);

#endif
