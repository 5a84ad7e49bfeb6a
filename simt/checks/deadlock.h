/* deadlock.h: what to say when no thread can make progress. Internal. */
#ifndef SIMT_DEADLOCK_H
#define SIMT_DEADLOCK_H

#include "core/thread.h"

/* Reports which threads wait where. blocks: the `used` resident slots; started: blocks of the grid that
 * have been started, finished ones included. */
void deadlock_report(const struct block *blocks, unsigned used, uint64_t started);

#endif
