/* polling.h: checks whether a kernel that has spent its budget waits for something that never happens. Internal.
 *
 * The scheduler finds polls that change nothing. A poll that counts its tries, or that takes a lock for each,
 * changes memory all the time. So the kernel runs on a little, in two halves, and its accesses are recorded. */
#ifndef SIMT_POLLING_H
#define SIMT_POLLING_H

#include "core/judge.h"
#include "core/observer.h"

void polling_watch(enum polling_stage stage);

/* Did all threads of these blocks that can run poll repeatedly without any change? Returns false if they accessed,
 * in the second half, memory that they had not accessed in the first, or if a word that several of them use had a
 * new value. A word that only one thread uses may be a counter; then each thread must also have polled a word that
 * did not change. */
bool polling_in_vain(const struct block *blocks, unsigned used);

/* Did all threads, in both halves, only read plain memory, and the same again? */
bool polling_only_reads(void);

extern const struct observer polling_observer;

#endif
