/* stacks.h: local and shared memory of the resident blocks. Internal. */
#ifndef SIMT_STACKS_H
#define SIMT_STACKS_H

#include <stddef.h>

#include <stdbool.h>

enum { MAX_RESIDENT_THREADS = 16384 }; /* fiber stacks at once; each takes two mappings, of 65530 */

/* Makes so many stacks; false when there may not be as many, or memory is short. */
bool stacks_reserve(unsigned wanted);

/* The low end (just above its guard page) and the high end of a stack. Ends are staggered over the cache. */
void stacks_get(unsigned number, char **low, char **high);

bool stacks_hold(const void *address);

/* Is the address in a guard page below a stack? Then a thread used more than STACK_BYTES. */
bool stacks_guard_holds(const void *address);

/* Calls function(argument) on a stack of 1 MiB and returns: for code that needs more than a fiber has. Not
 * reentrant. */
void stacks_call_on_large(void (*function)(void *), void *argument);

#endif
