/* returns.h: protects the return addresses of functions of a guarded program (guard.h). Internal.
 *
 * The functions have hooks at their entry and exit. At the entry the return address is saved where the program
 * cannot write; at the exit it must be the same. The program may write only to the frames of its own functions,
 * because the frames above contain the device's addresses and registers. */
#ifndef SIMT_RETURNS_H
#define SIMT_RETURNS_H

#include <stdbool.h>
#include <stddef.h>

enum { RETURNS_KEPT = 8 };

struct returns {
    unsigned depth; /* number of nested calls of the program's functions */
    struct returns_frame {
        const void *const *slot; /* position of the return address on the stack */
        const void *address;
    } frame[RETURNS_KEPT]; /* the outermost calls; deeper ones are in a table that all stacks share */
};

/* Resets the depth when host code is called again or was left by a fault. */
void returns_begin_host(void);

/* Is the memory in the frames of the program's host functions? */
bool returns_own(const void *address, size_t bytes);

#endif
