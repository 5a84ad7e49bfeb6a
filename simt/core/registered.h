/* registered.h: host memory that the program has registered (cudaHostRegister), so that kernels may access it like
 * pinned memory. Internal. */
#ifndef SIMT_REGISTERED_H
#define SIMT_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>

/* Is the address in registered memory? Sets *bytes_left to the number of bytes from there to its end. */
bool registered_holds(const void *address, size_t *bytes_left);

/* May the address be in registered memory? A thread that has not entered the device may call this, like
 * memory_may_be_known. */
bool registered_may_hold(const void *address);

/* Is any byte of [begin, begin + bytes) registered? */
bool registered_overlaps(const void *begin, size_t bytes);

/* Returns false when the host has no memory left. */
bool registered_add(void *begin, size_t bytes);

/* Returns false when no registered memory begins there. */
bool registered_remove(const void *begin);

void registered_forget(void); /* removes all entries */

#endif
