/* recursion.h: endless recursion of host code. Internal. */
#ifndef SIMT_RECURSION_H
#define SIMT_RECURSION_H

#include <stdbool.h>

/* Host code is called from this frame. */
void recursion_begin(const void *frame);

/* If the stack from `frame` on contains an endless recursion, reports it and returns true. */
bool recursion_report(const void *frame);

/* For calls of the runtime and launches: raises a fault with this error if the stack is deep because of a recursion. */
void recursion_check(int error);

#endif
