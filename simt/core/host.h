/* host.h: the host threads of a program, and the lock of the device that they share. Internal.
 *
 * One host thread at a time is on the device. It enters before it reads or changes the device's state, and leaves after that;
 * a launch runs to its end in between. The others wait in a queue. */
#ifndef SIMT_CORE_HOST_H
#define SIMT_CORE_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* What each host thread has of its own. All fibers of a launch run on the thread that launches. No other variable of the
 * device may be thread-local: see module.c. */
struct host_thread {
    struct thread *current;   /* the CUDA thread that runs; null in host code */
    unsigned entered;         /* calls of host_enter without their host_leave */
    bool borrows;             /* it is on the device while another thread lends it: see host_lend */
    struct host_thread *next; /* the next one in the queue for the device */
    int cancellable; /* the cancel state that the program gave it; while it is on the device it cannot be cancelled */
    int last_error; /* error.c keeps it */
    struct {
        uint64_t key, floor;
    } callback; /* race_events.c keeps it: of the callback that it runs; without one the key is 0 */
};
extern _Thread_local struct host_thread host_thread __attribute__((tls_model("local-exec")));

/* May be nested: each host_enter needs a host_leave. */
void host_enter(void);
void host_leave(void);

/* Stand around a check of memory that host code is about to touch. False: the device is lent in the middle of a launch, so
 * the check must not change anything. */
bool host_enter_to_touch(void);
void host_leave_touched(void);

/* Lets the other threads touch memory for a millisecond. For a kernel that spins: it may wait for a write of theirs. */
void host_lend(void);

/* Leaves the device however often it was entered, and returns how often; enters it as often again. Stand around calls of
 * the program's own code, which may wait for another thread that waits for the device. */
unsigned host_leave_wholly(void);
void host_enter_again(unsigned times);

/* Is there no other host thread? */
bool host_is_alone(void);

#endif
