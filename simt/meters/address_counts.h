/* address_counts.h: a table with a number for each accessed address. Internal. */
#ifndef SIMT_ADDRESS_COUNTS_H
#define SIMT_ADDRESS_COUNTS_H

#include "core/observer.h"

/* Starts empty: {0}. */
struct address_counts {
    struct address_slot *slots;
    size_t size, used;
};

/* The number of the accessed address, which is 0 at first. Each block has its own numbers for shared memory,
 * because its addresses are the same in all blocks. Valid until the next call. */
uint64_t *address_counts_at(struct address_counts *counts, const struct access *access);

/* Removes all numbers. */
void address_counts_clear(struct address_counts *counts);

#endif
