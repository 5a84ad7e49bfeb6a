/* host.h: the host threads of a program, and the lock of the device that they share. Internal.
 *
 * Only one host thread at a time uses the device. It enters before it reads or changes the device's state, and
 * leaves afterwards; a launch in between runs to its end. The other threads wait in a queue. */
#ifndef SIMT_CORE_HOST_H
#define SIMT_CORE_HOST_H

#include "core/blocks.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The state of one host thread. All fibers of a launch run on the thread that launches. No other variable of the
 * device may be thread-local: see module.c. */
struct host_thread {
    struct thread *current;   /* the CUDA thread that runs; null in host code */
    unsigned entered;         /* calls of host_enter without their host_leave */
    bool borrows;             /* it uses the device while another thread lends it: see host_lend */
    struct host_thread *next; /* the next one in the queue for the device */
    int cancellable; /* the program's cancel state; a thread that uses the device cannot be cancelled */
    int last_error;  /* managed by error.c */
    /* Managed by budget.c: the module whose code runs. It is empty until the first basic block of the module is
     * executed, and while blocks are not counted or have a meter, so the common path has no other condition. */
    struct blocks counted;
    struct {
        uint64_t key, floor;
    } callback; /* managed by race_events.c: the running callback; the key is 0 without one */
};
extern _Thread_local struct host_thread host_thread __attribute__((tls_model("local-exec")));

/* Calls may be nested: each host_enter needs a host_leave. */
void host_enter(void);
void host_leave(void);

/* These enclose a check of memory that host code is about to access. False means that the device is lent in the
 * middle of a launch, so the check must not change anything. */
bool host_enter_to_touch(void);
void host_leave_touched(void);

/* Lets the other host threads access memory for a millisecond. Called for a kernel that spins, because it may wait
 * for one of their writes. */
void host_lend(void);

/* host_leave_wholly leaves the device however often it was entered and returns that number; host_enter_again enters
 * it as often again. They enclose calls of the program's own code, which may wait for a thread that itself waits
 * for the device. */
unsigned host_leave_wholly(void);
void host_enter_again(unsigned times);

/* True when there is no other host thread. */
bool host_is_alone(void);

#endif
