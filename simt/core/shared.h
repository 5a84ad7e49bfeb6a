/* shared.h: shared memory of the resident blocks. Internal.
 *
 * A __shared__ variable is a thread-local variable of its module, at one address for all blocks. While
 * several blocks are resident, the memory of those that do not run lies in images. */
#ifndef SIMT_SHARED_H
#define SIMT_SHARED_H

#include "core/thread.h"
#include <stdbool.h>

void shared_begin_launch(const struct launch *launch);
void shared_end_launch(void);

/* Fills the block's shared memory with junk, as a real block finds it. */
void shared_begin_block(struct block *block);

/* Saves the shared memory of the block that is loaded, and loads this one's. */
void shared_put_in_place(struct block *block);
void shared_drop_images(struct block *block);

/* Is the address in the shared memory of the running launch? */
bool shared_holds(const void *address);

/* How far the address lies behind the start of dynamic shared memory, in bytes, when it lies in the area
 * that no launch may use up or in what this launch did not ask for; -1 for any other address. */
long shared_dynamic_distance(const void *address);

/* Where the running launch's shared memory lies. A byte of it has an offset, of static and dynamic memory together: so
 * many bytes after an origin that is a multiple of 16, as are the differences between offsets and addresses. */
struct shared_layout {
    uintptr_t static_begin, static_bytes, static_origin;
    uintptr_t dynamic_begin, dynamic_bytes, dynamic_origin; /* the origins: the address of offset 0 */
    size_t bytes;                                           /* offsets are below */
};
extern struct shared_layout shared_layout;

/* The start of dynamic shared memory: the same for all launches. */
char *shared_dynamic_base(void);

#endif
