/* deadlock.h: reports that no thread can make progress. Internal. */
#ifndef SIMT_DEADLOCK_H
#define SIMT_DEADLOCK_H

#include "core/thread.h"

/* Reports which threads wait where. blocks: the `used` resident slots; started: the number of blocks of the grid
 * that have been started, including finished ones. */
void deadlock_report(const struct block *blocks, unsigned used, uint64_t started);

#endif
