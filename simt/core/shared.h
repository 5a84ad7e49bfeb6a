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

/* Fills the block's shared memory with junk, which is what a block finds on a GPU. */
void shared_begin_block(struct block *block);

/* Saves the shared memory of the block that ran last to its images, and loads this block's. */
void shared_load(struct block *block);
void shared_drop_images(struct block *block);

/* Is the address in the shared memory of the running launch? */
bool shared_holds(const void *address);

/* The offset of an address, in bytes, from the start of dynamic shared memory, when it lies past what this launch asked
 * for and still in the area that is reserved for it; -1 for any other address. */
long shared_dynamic_distance(const void *address);

/* The shared memory of the running launch. Static and dynamic memory share one range of offsets: a byte's offset is its
 * address less the origin of its part, and origins are multiples of 16. */
struct shared_layout {
    uintptr_t static_begin, static_bytes, static_origin;
    uintptr_t open_begin, open_bytes;                       /* of the static part: see shared_open */
    uintptr_t dynamic_begin, dynamic_bytes, dynamic_origin; /* the origins: the address of offset 0 */
    size_t bytes;                                           /* offsets are below */
};
extern struct shared_layout shared_layout;

/* Static shared memory is all that the kernels of a module have, of which a launch touches a little: only that is saved and
 * filled with junk, and it grows with what is touched. Is [address, address + bytes) in the static part? Then it is open
 * from now on. To be called before every access, as the access hooks do. */
bool shared_open(uintptr_t address, size_t bytes);

/* The start of dynamic shared memory: the same for all launches. */
char *shared_dynamic_base(void);

#endif
