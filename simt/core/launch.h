/* launch.h: what a launch asks for, and how it ends. Internal. */
#ifndef SIMT_CORE_LAUNCH_H
#define SIMT_CORE_LAUNCH_H

#include "core/thread.h"

/* Runs the kernel's body for the current thread. */
typedef void kernel_body(void *arguments);

struct launch_request {
    struct index3 grid, block;
    size_t dynamic_bytes;
    void *stream;
    bool cooperative;    /* all blocks resident at once */
    const char *harness; /* the name of a kernel of the harness, whose shape is not checked; else null */
    const void *kernel;  /* its address; null when it has none (template arguments deduced) */
    kernel_body *body;
    void *arguments;
    const void *site;
};

/* Checks a launch as the CUDA runtime does, and runs it to its end. Returns a cudaError_t: 0, a refusal
 * (invalid configuration, too much shared memory), or the sticky error that a fault left, now or before. */
int launch_run(const struct launch_request *request);

/* The most dynamic shared memory, in bytes, that a kernel may ask for; cudaFuncSetAttribute sets it. For a null kernel, one
 * whose address is not known, it is the most that any kernel may ask for. */
void launch_allow_dynamic(const void *kernel, size_t bytes);
size_t launch_allowed_dynamic(const void *kernel);

/* The number of the last launch; 0 before the first. */
uint64_t launch_last_number(void);

#endif
