/* thread_states.h: describes where the threads of a block are, as sides of a finding. Internal. */
#ifndef SIMT_THREAD_STATES_H
#define SIMT_THREAD_STATES_H

#include "core/thread.h"
#include "simt.h"

struct thread_states {
    struct simt_side side[SIMT_SIDES];
    unsigned sides;
    unsigned more[2]; /* groups of the first and the second block that are not included */
};

/* Adds a side for each group of threads that are in the same state at the same line, such as "threads 0-15 of block
 * 0", "wait at the block's barrier". Threads that have returned are the last group. `number` is 0 for the first
 * block that is added and 1 for the second. */
void thread_states_add(const struct block *block, unsigned number, struct thread_states *states);

/* The act that describes a thread in this state. */
enum simt_act thread_state_act(enum thread_state state);

#endif
