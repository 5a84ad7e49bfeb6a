/* registered.h: host memory that the program has registered (cudaHostRegister): kernels may touch it like pinned memory.
 * Internal. */
#ifndef SIMT_REGISTERED_H
#define SIMT_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>

/* Is the address in registered memory? *bytes_left: from there to the end of it. */
bool registered_holds(const void *address, size_t *bytes_left);

/* May it be in registered memory? A thread that is not on the device may ask this, as memory_may_be_known. */
bool registered_may_hold(const void *address);

/* Does a byte of [begin, begin + bytes) belong to it? */
bool registered_overlaps(const void *begin, size_t bytes);

/* False when the host has no memory left. */
bool registered_add(void *begin, size_t bytes);

/* False when no registered memory begins there. */
bool registered_remove(const void *begin);

void registered_forget(void); /* all of it */

#endif
