/* sample.h: sampled runs, in which only some blocks run, for lengths that a CPU cannot run completely. Internal.
 *
 * In a sampled run memory is sparse: an allocation takes addresses, but memory only for pages that are accessed.
 * All memory starts as zeros. Only the first and the last blocks of each launch run. If the whole input is zero and
 * so are the results, the missing blocks make little difference, because the values that they would write are
 * already there. Effects of blocks that did not run are not judged, only how far the blocks get and by how much an
 * index jumps. */
#ifndef SIMT_SAMPLE_H
#define SIMT_SAMPLE_H

#include "core/memory.h"
#include "core/observer.h"
#include "core/sampler.h"
#include "core/thread.h"

/* A copy or fill. Returns false if it is too long to be done; then it would copy only zeros. */
bool sample_copy(const struct copy *copy);

/* ---- shared by sample.c and sample_index.c -------------------------------------------------------------------- */

enum { SAMPLE_MOST_ACCESSES = 1 << 19 /* in a block; blocks with longer loops are dropped */ };

/* Is it so long that a 32-bit index may be too narrow? */
bool sample_is_long(const struct region *region);

/* The last offset in a region for which 32 bits may suffice: see simt_sample. */
size_t sample_far_offset(const struct region *region, size_t element);

/* Reports a finding of the sampled run itself; finding_report drops others. */
struct finding_facts;
void sample_report(const struct finding_facts *facts);

/* Learns where the blocks of a launch start, and their distances: sample_index.c. */
void index_begin_launch(const struct launch *launch);
void index_begin_block(const struct block *block);
void index_end_block(bool dropped);
void index_see(const struct access *access);

/* Simulates what blocks that did not run would have left for others to wait for: sample_ghost.c. */
void ghost_begin_launch(void);
void ghost_begin_block(uint64_t block);
void ghost_see(const struct access *access);
void ghost_end_block(void);

/* True if a counter does not advance by the same amount in each block: then it is unknown what a block draws from
 * it. */
bool ghost_is_unsure(void);

/* Is the last access next to one whose address follows the progression of the blocks before? Then it would have
 * that address in a complete run, too. */
bool index_is_lawful(void);

/* The number of bytes of the region that all blocks of the launch would reach if all continue like the first ones;
 * 0 if unknown. *site is set to the site of the access. */
size_t index_expected_end(const struct region *region, const void **site, size_t *element, size_t *step);

#endif
