/* thread_states.h: where the threads of a block are, as sides of a finding. Internal. */
#ifndef SIMT_THREAD_STATES_H
#define SIMT_THREAD_STATES_H

#include "core/thread.h"
#include "simt.h"

struct thread_states {
    struct simt_side side[SIMT_SIDES];
    unsigned sides;
    unsigned more[2]; /* groups of the first block and of the second that are not among them */
};

/* Adds a side for each group of threads that are in the same state at the same line: "threads 0-15 of block 0",
 * "wait at the block's barrier". Those that have returned are a group too, the last one. `number`: 0 for the first block that
 * is added, 1 for the second. */
void thread_states_add(const struct block *block, unsigned number, struct thread_states *states);

/* What a thread in that state does. */
enum simt_act thread_state_act(enum thread_state state);

#endif
