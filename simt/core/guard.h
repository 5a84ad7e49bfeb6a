/* guard.h: the memory that guarded host code may touch. Internal. simt_guard_program of simt.h turns the guard on.
 *
 * The list says what is allowed: the frames of the code's own functions, the variables of its module, what it has allocated
 * (host_heap.h), objects that it throws, and, to read, what is constant and the variables of the system's libraries. All
 * else is the device's, the harness's or the C library's, whatever pointer leads there. Memory that host and device share is
 * not on the list, and is judged like all of the device's. */
#ifndef SIMT_GUARD_H
#define SIMT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

extern bool guard_on;
static inline bool guard_is_on(void)
{
    return guard_on;
}

/* Is [address, address + bytes) allowed? Asked of host code while the guard is on. */
bool guard_allows(const void *address, size_t bytes, bool write);

/* An object that is about to be thrown is there. */
void guard_note_thrown(void *object, size_t bytes);

#endif
