/* launch.h: launches: what is asked for, and how it ends. Internal. */
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
    const char *harness; /* name of a kernel of the harness's, whose shape needs no check; else null */
    const void *kernel;  /* its address; null when it has none (template arguments deduced) */
    kernel_body *body;
    void *arguments;
    const void *site;
};

/* Checks a launch as the real runtime does and runs it to its end. Returns a cudaError_t: 0, a refusal
 * (invalid configuration, too much shared memory), or the sticky error that a fault left, now or before. */
int launch_run(const struct launch_request *request);

/* The most dynamic shared memory that a kernel may ask for, in bytes; set by cudaFuncSetAttribute. A null kernel, one
 * whose address is not known, may ask for what any may. */
void launch_allow_dynamic(const void *kernel, size_t bytes);
size_t launch_allowed_dynamic(const void *kernel);

/* The number of the last launch; 0 before the first. */
uint64_t launch_last_number(void);

#endif
