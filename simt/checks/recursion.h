/* recursion.h: recursion of host code without an end. Internal. */
#ifndef SIMT_RECURSION_H
#define SIMT_RECURSION_H

#include <stdbool.h>

/* Host code is called from this frame on. */
void recursion_begin(const void *frame);

/* Reports a recursion that the stack holds, from `frame` on, and says whether there is one. */
bool recursion_report(const void *frame);

/* For calls of the runtime and launches: raises a fault with this error when the stack is deep in a recursion. */
void recursion_check(int error);

#endif
