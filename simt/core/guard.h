/* guard.h: the variables that guarded host code may not write to: those of the program, of the device and of the system's
 * libraries. Internal. simt_guard_program of simt.h turns the guard on. */
#ifndef SIMT_GUARD_H
#define SIMT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

extern bool guard_on;
static inline bool guard_is_on(void)
{
    return guard_on;
}

/* Is a byte of [address, address + bytes) in one of those variables? False while the guard is off. */
bool guard_holds(const void *address, size_t bytes);

/* Is it in one that guarded host code may not read either: a variable of the program itself? */
bool guard_hides(const void *address, size_t bytes);

#endif
