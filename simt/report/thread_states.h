/* thread_states.h: where the threads of a block are, as sides of a finding. Internal. */
#ifndef SIMT_THREAD_STATES_H
#define SIMT_THREAD_STATES_H

#include "core/thread.h"
#include "simt.h"

struct thread_states {
    struct simt_side side[SIMT_SIDES];
    unsigned sides;
    char more[256]; /* lines on what is not among them; empty when all are */
};

/* Adds a side for each group of threads that are in the same state at the same line: "threads 0-15 of block 0",
 * "wait at the block's barrier". Those that have returned are a group too, the last one. */
void thread_states_add(const struct block *block, struct thread_states *states);

/* "waits at the block's barrier": what one thread in that state does, or several do. */
const char *thread_state_verb(enum thread_state state, bool one);

#endif
