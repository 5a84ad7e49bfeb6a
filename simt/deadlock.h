/* deadlock.h: what to say when no thread can make progress. Internal. */
#ifndef SIMT_DEADLOCK_H
#define SIMT_DEADLOCK_H

#include "core.h"

/* Reports which threads wait where. blocks: the `used` resident slots; started: blocks of the grid that
 * have been started, finished ones included. */
void deadlock_report(const struct block *blocks, unsigned used, uint64_t started);

/* "waits at the block's barrier": what one thread in that state does, or several do. */
const char *deadlock_verb(enum thread_state state, bool one);

#endif
