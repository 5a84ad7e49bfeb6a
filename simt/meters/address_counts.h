/* address_counts.h: a number for each address that threads use to talk to each other. Internal. */
#ifndef SIMT_ADDRESS_COUNTS_H
#define SIMT_ADDRESS_COUNTS_H

#include "core/observer.h"

/* Starts empty: {0}. */
struct address_counts {
    struct address_slot *slots;
    size_t size, used;
};

/* The number at the accessed address, 0 at first. Shared memory is another one in each block, at the same
 * addresses. Valid until the next call. */
uint64_t *address_counts_at(struct address_counts *counts, const struct access *access);

/* Forgets all numbers. */
void address_counts_clear(struct address_counts *counts);

#endif
