/* returns.h: the return addresses of functions of a guarded program (guard.h). Internal.
 *
 * Its functions have hooks at their entry and exit. At the entry the return address is noted where the program cannot write;
 * at the exit it must be the same. Of a stack, the program may write to the frames of its own functions only: what called
 * the outermost of them has addresses and registers of the device's there. */
#ifndef SIMT_RETURNS_H
#define SIMT_RETURNS_H

#include <stdbool.h>
#include <stddef.h>

enum { RETURNS_KEPT = 8 };

struct returns {
    unsigned depth; /* of calls of the program's functions */
    struct returns_frame {
        const void *const *slot; /* where the return address is on the stack */
        const void *address;
    } frame[RETURNS_KEPT]; /* the outermost calls; the others are in a table that all stacks share */
};

/* Host code is called again, or was left by a fault. */
void returns_begin_host(void);

/* Is the memory in frames of the program's functions, those of host code? */
bool returns_own(const void *address, size_t bytes);

#endif
