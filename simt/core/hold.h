/* hold.h: a launch in lockstep holds up one block: one of those that started early, when it reads what another block has
 * published, the first time or, with seed k, the k-th. Its threads that read such a word wait until no thread of any block can
 * go on. If it publishes the sum of its tile nevertheless, the other blocks do not need it. In a chain, where each block
 * waits for the one before it, all blocks after it wait too. Internal. */
#ifndef SIMT_HOLD_H
#define SIMT_HOLD_H

#include "core/observer.h"

/* Whether the running launch watches what its blocks publish. */
extern bool hold_watches;

/* Begins a launch that may have `resident` blocks at work. */
void hold_begin_launch(unsigned resident);

/* A volatile or atomic access to memory that all blocks see, before it happens. Returns whether the thread is to wait. */
bool hold_look(const struct access *access);

/* Whether another block than this one has published any of the words that the access touches. */
bool hold_is_published(const struct access *access, const struct block *block);

#endif
