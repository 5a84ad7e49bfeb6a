/* host_heap.h: the heap for allocations of guarded host code (guard.h). Internal.
 *
 * It is separate from the C library's heap, which the device and its harness use. So an address shows who owns the
 * memory, and no block contains old data of the device. The bookkeeping of the blocks is stored outside the heap. */
#ifndef SIMT_HOST_HEAP_H
#define SIMT_HOST_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Null when there is no memory left. Contents are junk. */
void *host_heap_allocate(size_t bytes);

/* The number of bytes of a live block; 0 when no live block begins there. */
size_t host_heap_bytes(const void *block);

/* Returns false when no live block begins there. */
bool host_heap_free(void *block);

/* Is [address, address + bytes) part of this heap? */
bool host_heap_holds(const void *address, size_t bytes);

#endif
