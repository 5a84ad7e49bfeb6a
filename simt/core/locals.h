/* locals.h: the local arrays of the threads. Internal. */
#ifndef SIMT_LOCALS_H
#define SIMT_LOCALS_H

#include <stddef.h>
#include <stdint.h>

/* A local array that is in scope. include/simt_launch.h has the same layout. */
struct simt_local_memory {
    char *begin;
    size_t bytes, element_size;
    const char *name;
    struct simt_local_memory *outer; /* the one declared before it; null for a thread's first */
    uint64_t written[];              /* a bit for each byte: set once the byte is written */
};

/* The current thread's local array that contains the address; null when none does. */
struct simt_local_memory *locals_find(const void *address);

#endif
