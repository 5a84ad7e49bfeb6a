/* shared.h: the shared memory of the resident blocks. Internal.
 *
 * A __shared__ variable is a thread-local variable of its module and has one address for all blocks. While several
 * blocks are resident, the shared memory of those that do not run is saved in images. */
#ifndef SIMT_SHARED_H
#define SIMT_SHARED_H

#include "core/thread.h"
#include <stdbool.h>

void shared_begin_launch(const struct launch *launch);
void shared_end_launch(void);

/* The byte that fills shared memory: MEMORY_JUNK, except in launches that are run again to compare (checks/rerun.h). */
extern unsigned char shared_junk;

/* Fills the block's shared memory with junk, because on a GPU it is not initialised either. */
void shared_begin_block(struct block *block);

/* Saves the shared memory of the block that ran last to its images, and loads that of this block. */
void shared_load(struct block *block);
void shared_drop_images(struct block *block);

/* Is the address in the shared memory of the running launch? */
bool shared_holds(const void *address);

/* The offset in bytes from the start of dynamic shared memory, for an address in the area that is reserved for it,
 * which may be beyond what this launch asked for; -1 for any other address. */
long shared_dynamic_distance(const void *address);

/* The shared memory of the running launch. Static and dynamic memory share one range of offsets: the offset of a
 * byte is its address minus the origin of its part. Origins are multiples of 16. */
struct shared_layout {
    uintptr_t static_begin, static_bytes, static_origin;
    uintptr_t open_begin, open_bytes;                       /* part of the static memory: see shared_open */
    uintptr_t dynamic_begin, dynamic_bytes, dynamic_origin; /* origins: the addresses of offset 0 */
    size_t bytes;                                           /* all offsets are below this */
};
extern struct shared_layout shared_layout;

/* The static shared memory of all kernels of a module is one block, and a launch accesses little of it. So only an
 * open range is saved and filled with junk; it grows with the accesses. Is [address, address + bytes) in the static
 * part? If so, it becomes open. This must be called before every access; the access hooks do so. */
bool shared_open(uintptr_t address, size_t bytes);

/* The start of dynamic shared memory. It is the same for all launches. */
char *shared_dynamic_base(void);

#endif
