/* allocations.h: the names of a program's allocations, from the lines that make them. Internal. */
#ifndef SIMT_ALLOCATIONS_H
#define SIMT_ALLOCATIONS_H

#include <stddef.h>

/* The pointer that an allocating call sets: `values` in cudaMalloc(&values, bytes). */
struct allocation {
    char name
        [128]; /* empty if the source cannot be read, the call sets no variable, or its function returns it */
    size_t element; /* bytes of what it points to; 0 if unknown, then there is no name */
};

/* `site` is the code address of the call; null when it is unknown. Call it on a large stack: see source.c. */
struct allocation allocation_at(const void *site);

#endif
