/* hold.h: a launch in lockstep holds up one of the blocks that started early. With seed k, this is the first block that reads for
 * the k-th time what another block has published; with seed 0 there is none. The threads of this block that read such a word
 * wait until no other thread can go on. In a look-back, the other blocks need only the sum of the block's tile, which it has
 * published before. In a chain, all blocks after it wait, too. Internal. */
#ifndef SIMT_HOLD_H
#define SIMT_HOLD_H

#include "core/observer.h"

/* Whether the running launch watches what its blocks publish. */
extern bool hold_watches;

/* Begins a launch that may have `resident` blocks at work. */
void hold_begin_launch(unsigned resident);

/* A volatile or atomic access to memory that all blocks see, before it happens. Returns whether the thread is to wait. */
bool hold_look(const struct access *access);

/* Whether another block than this one has published any byte of the access. */
bool hold_is_published(const struct access *access, const struct block *block);

#endif
