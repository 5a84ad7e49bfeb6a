/* stacks.h: the stacks of the resident blocks' fibers, which are the threads' local memory. Internal. */
#ifndef SIMT_STACKS_H
#define SIMT_STACKS_H

#include <stddef.h>

#include <stdbool.h>

enum {
    MAX_RESIDENT_THREADS = 16384
}; /* number of fiber stacks; each takes two of the 65530 mappings of a process */

/* Makes this many stacks. Returns false when that is too many or memory is short. */
bool stacks_reserve(unsigned wanted);

/* The low end of a stack, just above its guard page, and its high end. High ends are staggered so that the frames
 * of different threads fall into different cache sets. */
void stacks_get(unsigned number, char **low, char **high);

bool stacks_hold(const void *address);

/* Is the address in a guard page below a stack? If so, a thread used more than STACK_BYTES. */
bool stacks_guard_holds(const void *address);

/* Calls function(argument) on a stack of 1 MiB, for code that needs more stack than a fiber has. Not reentrant. */
void stacks_call_on_large(void (*function)(void *), void *argument);
bool stacks_large_is_taken(void); /* is such a call running? A signal may have interrupted it */

#endif
