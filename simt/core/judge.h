/* judge.h: what the core asks of the checks. Internal.
 *
 * The core executes. Whether an access or a launch is right, and what to report when a run cannot go on, the checks decide.
 * The core calls them through this table, and includes nothing of theirs. device.c fills it in before any code runs. */
#ifndef SIMT_JUDGE_H
#define SIMT_JUDGE_H

#include "core/launch.h"
#include "core/observer.h"

/* What is known when the budget is spent. */
struct spent {
    int64_t budget;    /* instructions */
    int64_t executed;  /* the same; a little more than the budget */
    uint64_t launches; /* so far */
    bool launching;    /* some of them in the second half of the budget */
    bool returning;    /* in the second half threads have returned */
    bool empty_loop;   /* or nothing is spent: the code is in a loop of a single jump */
};

/* A kernel that polls when its budget is spent runs on a little, in two halves, so that the checks see what it polls for. */
enum polling_stage { POLLING_UNSEEN, POLLING_FIRST_HALF, POLLING_SECOND_HALF };

struct judge {
    /* A kernel's access that is not in its own shared or local memory, nor in a live allocation: fills in space, region
     * and offset, or reports a finding, ends the launch and does not return. */
    void (*kernel_access)(struct access *access);
    void (*misaligned)(const struct access *access) __attribute__((noreturn));
    void (*input_written)(const struct access *access);
    /* The same for an access of host code. Does not return when it is not allowed. */
    void (*host_access)(const void *address, size_t bytes, unsigned kind, const void *site);

    /* 0, or the error of a launch that the device refuses, which is reported. A launch in a kernel is always refused. */
    int (*launch)(const struct launch_request *request, const struct module *module);
    int (*launch_in_kernel)(const struct launch_request *request);
    const char *(*kernel_name)(const void *kernel); /* lives as long as the process */

    /* Host code is called from this frame on. It calls the device: raises a fault where it recurses without end. */
    void (*host_begins)(const void *frame);
    void (*host_calls)(int error);
    bool (*host_recursion)(
        const void *frame); /* is a stack overflow one of endless recursion? Then it is reported */

    /* These report, and the core ends the launch. */
    void (*deadlock)(const struct block *blocks, unsigned used, uint64_t started);
    void (*foreign_mask)(const struct thread *thread, uint32_t mask,
                         const void *site); /* without its own lane */
    void (*budget_is_spent)(const void *site, const struct spent *spent);
    void (*watch_polling)(enum polling_stage stage);
    bool (*polls_in_vain)(const struct block *blocks, unsigned used); /* as watching it has shown */
    void (*crash)(const void *site, int signal, const void *address);

    void (*lane_returns)(const struct thread *thread); /* while others of its warp wait in an operation */
    void (*return_changed)(const void *site); /* of a function that is about to return: does not return */
    bool (*is_students)(const void *site);    /* Is the code address in code of a .cu or .cuh file? */
};

/* Set once. */
extern const struct judge *judge;

#endif
