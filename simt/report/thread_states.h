/* thread_states.h: where the threads of a block are, in words. Internal. */
#ifndef SIMT_THREAD_STATES_H
#define SIMT_THREAD_STATES_H

#include "core/thread.h"

/* Adds a line for each group of threads that are in the same state at the same line: "threads 0-15 of block 0 wait
 * at the block's barrier at line 4". Those that have returned are a group too, the last one. */
void thread_states_add(const struct block *block, char *text, size_t size);

/* "waits at the block's barrier": what one thread in that state does, or several do. */
const char *thread_state_verb(enum thread_state state, bool one);

#endif
