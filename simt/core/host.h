/* host.h: the host threads of a program, which share the device. Internal.
 *
 * One of them at a time is on the device: it enters before it asks or changes anything of it, and what it launches runs to
 * its end. The others wait, and get in by the order in which they came. */
#ifndef SIMT_CORE_HOST_H
#define SIMT_CORE_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* What each host thread has for itself. All fibers of a launch run on the thread that launches. No other variable of the
 * device may be thread-local: see module.c. */
struct host_thread {
    struct thread *current;   /* the CUDA thread that runs; null in host code */
    unsigned entered;         /* how many times it has entered the device and not left it */
    bool borrows;             /* it touches memory while the device is lent: see host_lend */
    struct host_thread *next; /* who waits for the device behind this one */
    int cancellable;          /* whether the program lets it be cancelled: not while it is on the device */
    int last_error;           /* error.c keeps it */
    struct {
        uint64_t key, floor;
    } callback; /* race_events.c keeps it: of the callback that it runs; the key is 0 else */
};
extern _Thread_local struct host_thread host_thread __attribute__((tls_model("local-exec")));

/* May be nested: each host_enter needs a host_leave. */
void host_enter(void);
void host_leave(void);

/* Around a look at what host code is about to touch. False: the device is lent, and a launch goes on afterwards, so nothing
 * of it may be changed. */
bool host_enter_to_touch(void);
void host_leave_touched(void);

/* Who is on the device lets the others touch memory for a millisecond: a kernel spins, and one of them may be the one that
 * it waits for. */
void host_lend(void);

/* Leaves however many times it has entered, which is returned, and enters as many times again. For where the program's own
 * code is called: it may wait for another thread, which waits for the device. */
unsigned host_leave_wholly(void);
void host_enter_again(unsigned times);

/* Is there no other host thread? Then there is none to wait for. */
bool host_is_alone(void);

#endif
