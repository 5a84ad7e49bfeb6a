/* host_heap.h: the memory that guarded host code (guard.h) allocates. Internal.
 *
 * It is apart from what the C library gives the device and its harness, so that an address says whose memory it is, and
 * no block holds what was the device's before. What is known of the blocks is kept elsewhere. */
#ifndef SIMT_HOST_HEAP_H
#define SIMT_HOST_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Null when there is no memory left. Contents are junk. */
void *host_heap_allocate(size_t bytes);

/* Bytes of a live block; 0 when none begins there. */
size_t host_heap_bytes(const void *block);

/* False when no live block begins there. */
bool host_heap_free(void *block);

/* Is [address, address + bytes) in the memory of the blocks? */
bool host_heap_holds(const void *address, size_t bytes);

#endif
