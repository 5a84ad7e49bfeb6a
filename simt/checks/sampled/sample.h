/* sample.h: sampled runs: lengths that a CPU cannot run, of which only some blocks do. Internal.
 *
 * In a sampled run memory is sparse: an allocation takes addresses, and pages only where somebody touches it. All of
 * it begins as zeros. Of each launch the first blocks run and the last ones; the others are left out. Where the input
 * is all zeros, and so are the results, that changes little: what the others would have written is there. What follows
 * from a block that did not run is not judged; only where the blocks reach is, and how far an index jumps. */
#ifndef SIMT_SAMPLE_H
#define SIMT_SAMPLE_H

#include "core/memory.h"
#include "core/observer.h"
#include "core/sampler.h"
#include "core/thread.h"

/* A copy or fill. False when it is too long to be done: then zeros are what it would copy. */
bool sample_copy(const struct copy *copy);

/* ---- what sample.c and sample_index.c share ------------------------------------------------------------------ */

/* Is it so long that an index of 32 bits may not do? */
bool sample_is_long(const struct region *region);

/* The farthest byte in a region that 32 bits need not be enough for: see simt_sample. */
size_t sample_far_offset(const struct region *region, size_t element);

/* Reports what a sampled run finds, too: finding_report drops other findings there. */
struct finding_facts;
void sample_report(const struct finding_facts *facts);

/* Where the blocks of a launch begin, and how far each is from the one before: sample_index.c. */
void index_begin_launch(const struct launch *launch);
void index_begin_block(const struct block *block);
void index_see(const struct access *access);

/* What blocks that did not run would have left for others to wait for: sample_ghost.c. */
void ghost_begin_launch(void);
void ghost_begin_block(uint64_t block);
void ghost_see(const struct access *access);
void ghost_end_block(void);

/* A counter moves otherwise than by as much in each block: what a block draws from it is not known. */
bool ghost_is_unsure(void);

/* The access seen last is next to one that stands where the blocks before lead: it is where it would be in a complete
 * run, too. */
bool index_is_lawful(void);

/* How many bytes of the region all blocks of the launch would reach, if all go on as the first ones do. 0 when that
 * is not known; *site is where. */
size_t index_expected_end(const struct region *region, const void **site, size_t *element, size_t *step);

#endif
