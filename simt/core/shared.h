/* shared.h: shared memory of the resident blocks. Internal.
 *
 * A __shared__ variable is a thread-local variable of its module, at one address for all blocks. While
 * several blocks are resident, the memory of those that do not run lies in images. */
#ifndef SIMT_SHARED_H
#define SIMT_SHARED_H

#include "core/core.h"
#include <stdbool.h>

void shared_begin_launch(const struct launch *launch);
void shared_end_launch(void);

/* Fills the block's shared memory with junk, as a real block finds it. */
void shared_begin_block(struct block *block);

/* Saves the memory of the block that is in place and loads this one's. */
void shared_put_in_place(struct block *block);
void shared_drop_images(struct block *block);

/* Is the address in the shared memory of the running launch? */
bool shared_holds(const void *address);

/* How far the address lies behind the start of dynamic shared memory, in bytes, when it lies in the area
 * that no launch may use up or in what this launch did not ask for; -1 for any other address. */
long shared_dynamic_distance(const void *address);

/* Which bit of block->written stands for a byte of the running launch's shared memory: it is set by whoever
 * writes to it, and 0 when the block begins. */
size_t shared_bit(const void *address);

/* The start of dynamic shared memory: the same for all launches. */
char *shared_dynamic_base(void);

#endif
