/* guard.h: what host code may not write to, where it is somebody else's: the variables of the program, of the device
 * and of the system's libraries. Internal; simt_guard_program of simt.h puts it up. */
#ifndef SIMT_GUARD_H
#define SIMT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

bool guard_stands(void);

/* Whether a byte of [address, address + bytes) is one of those. False where no guard stands. */
bool guard_holds(const void *address, size_t bytes);

#endif
