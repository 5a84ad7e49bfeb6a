/* polling.h: whether a kernel whose time is up waits for something that nobody does. Internal.
 *
 * A poll that changes nothing is found by the scheduler. One that counts its turns, or that takes a lock for each, changes
 * memory all the time: so the kernel runs on a little, in two halves, and what it accesses meanwhile is looked at. */
#ifndef SIMT_POLLING_H
#define SIMT_POLLING_H

#include "core/judge.h"
#include "core/observer.h"

void polling_watch(enum polling_stage stage);

/* Did all threads of these blocks that can run ask again and again for what nobody changed? False when they came, in the
 * second half, to memory that they had not come to in the first, or when a word that several of them use had a new value.
 * A word that only one thread uses may count; then each must have asked for a word that stayed as it was. */
bool polling_in_vain(const struct block *blocks, unsigned used);

extern const struct observer polling_observer;

#endif
