/* guard.h: the memory that guarded host code may access. Internal. simt_guard_program in simt.h turns the guard on.
 *
 * Allowed are the frames of the code's own functions, the variables of its module, its own allocations
 * (host_heap.h) and the objects that it throws. It may also read constants and variables of the system's libraries.
 * All other memory belongs to the device, the harness or the C library, even if the code has a pointer to it.
 * Memory that host and device share is not covered here; it is checked like all device memory. */
#ifndef SIMT_GUARD_H
#define SIMT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

extern bool guard_on;
static inline bool guard_is_on(void)
{
    return guard_on;
}

/* May the code access [address, address + bytes)? Called for host code while the guard is on. */
bool guard_allows(const void *address, size_t bytes, bool write);

/* Notes the object that is about to be thrown. */
void guard_note_thrown(void *object, size_t bytes);

#endif
