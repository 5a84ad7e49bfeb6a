/* places.h: a number for each place in memory that threads use to talk to each other. Internal. */
#ifndef SIMT_PLACES_H
#define SIMT_PLACES_H

#include "observer.h"

/* Starts empty: {0}. */
struct places {
    struct places_slot *slots;
    size_t size, used;
};

/* The number at the accessed address, 0 at first. Shared memory is another one in each block, at the same
 * addresses. Valid until the next call. */
uint64_t *places_at(struct places *places, const struct access *access);

/* Forgets all numbers. */
void places_clear(struct places *places);

#endif
