/* judge.h: the decisions that the core leaves to the checks. Internal.
 *
 * The core executes code. The checks decide whether an access or a launch is right, and what to report when a run
 * cannot go on. The core calls them through this table and includes none of their headers. device.c fills in the
 * table before any code runs. */
#ifndef SIMT_JUDGE_H
#define SIMT_JUDGE_H

#include "core/budget.h"
#include "core/launch.h"
#include "core/observer.h"

/* The state when the budget is spent. */
struct spent {
    int64_t budget;    /* instructions */
    int64_t executed;  /* instructions executed; a little more than the budget */
    uint64_t launches; /* number of launches so far */
    bool launching;    /* some of them began in the second half of the budget */
    bool returning;    /* threads have returned in the second half of the budget */
    bool empty_loop;   /* if true, nothing is spent: the code is in a loop of a single jump */
    const struct budget_worked *worked; /* if not null, the device did `work` for more than half of it */
    enum budget_work work;
};

/* A kernel that polls when its budget is spent runs on a little, in two halves, so that the checks can find out
 * what it polls for. */
enum polling_stage { POLLING_UNSEEN, POLLING_FIRST_HALF, POLLING_SECOND_HALF };

/* The time of an access, and what a strong write hands on to those who read it: both are the race check's. */
struct instant {
    uint64_t key;
    uint32_t clock;
};
enum { RELEASED_CELLS = 4 };
struct released {
    void *word[RELEASED_CELLS]; /* for each word of the access, or each byte if it is shorter than a word */
};

struct judge {
    /* Called for a kernel's access that is neither in its own shared or local memory nor in a live allocation. It
     * fills in space, region and offset, or it reports a finding, ends the launch and does not return. */
    void (*kernel_access)(struct access *access);
    void (*misaligned)(const struct access *access) __attribute__((noreturn));
    void (*input_written)(const struct access *access);
    /* The same for an access of host code. Does not return if the access is not allowed. */
    void (*host_access)(const void *address, size_t bytes, unsigned kind, const void *site);

    /* Returns 0, or reports why the device refuses the launch and returns the error. A launch inside a kernel is
     * always refused. */
    int (*launch)(const struct launch_request *request, const struct module *module);
    int (*launch_in_kernel)(const struct launch_request *request);
    /* If the launch goes into a graph instead, returns true and an error or 0. `bytes` of the arguments. */
    bool (*launch_captured)(const struct launch_request *request, size_t bytes, int *error);
    const char *(*kernel_name)(const void *kernel); /* the name lives as long as the process */

    /* host_begins gives the frame at which host code starts. host_calls is called when host code calls the device,
     * and raises a fault if the code recurses endlessly. */
    void (*host_begins)(const void *frame);
    void (*host_calls)(int error);
    bool (*host_recursion)(
        const void *frame); /* is the stack overflow endless recursion? If so, it is reported */

    /* These functions report; then the core ends the launch. */
    void (*deadlock)(const struct block *blocks, unsigned used, uint64_t started);
    void (*foreign_mask)(const struct thread *thread, uint32_t mask,
                         const void *site); /* the mask does not contain the thread's own lane */
    void (*budget_is_spent)(const void *site, const struct spent *spent);
    void (*watch_polling)(enum polling_stage stage);
    bool (*polls_in_vain)(const struct block *blocks, unsigned used); /* according to the watch */
    void (*crash)(const void *site, int signal, const void *address);

    void (*lane_returns)(const struct thread *thread); /* while other lanes of its warp wait */
    void (*return_changed)(const void *site);          /* found at a function's exit; does not return */
    bool (*is_students)(const void *site);             /* is this code address in a .cu or .cuh file? */
    int (*line_of)(const void *site); /* its line there, or where it is inlined; 0 if unknown */

    /* For explored launches: the order between accesses of threads, and what the last strong write to a place hands on. */
    void (*moment)(const struct thread *thread, const struct access *access, struct instant *instant);
    bool (*is_before)(const struct thread *thread, const struct access *access, const struct instant *then);
    void (*keep_released)(const struct access *access, struct released *held);
    void (*set_released)(const struct access *access, const struct released *held);
};

/* Set once, at the start. */
extern const struct judge *judge;

#endif
