/* vector_clock.h: what happens before the next access of each thread of a launch, beyond the barriers of its block.
 * Internal.
 *
 * A thread counts its synchronisations. So an access is identified by its block, the block's epoch (barriers
 * passed), its thread and that count. A thread's vector clock covers all accesses that happen before its next one.
 * Clocks are joined by
 *   __syncwarp    the clocks of all lanes in the mask;
 *   a barrier     the clocks of the block; for accesses of the block itself the epoch is enough;
 *   a message     a strong (volatile or atomic) write to an address releases the clock of its thread at its last fence.
 *                 A strong read receives it, and the reader's next fence acquires it.
 * A vector clock is a persistent tree, indexed by block number: copies share equal parts. It lives as long as the
 * launch. */
#ifndef SIMT_VECTOR_CLOCK_H
#define SIMT_VECTOR_CLOCK_H

#include "core/thread.h"

/* A thread's clock: its number in the block, and the number of its synchronisations, which stops at the maximum. */
enum { CLOCK_BITS = 22, CLOCK_LAST = (1 << CLOCK_BITS) - 1 };

static inline unsigned clock_thread(uint32_t clock)
{
    return clock >> CLOCK_BITS;
}

static inline unsigned clock_count(uint32_t clock)
{
    return clock & CLOCK_LAST;
}

enum order {
    ORDER_NONE,
    ORDER_OFFERED, /* there would be an order if the reader of the flag had a fence before its next access */
    ORDER_DRAWN, /* the same, but the reader read the flag by a read-modify-write after a fence of its own */
    ORDER_BEFORE
};

struct message;

void vector_clock_begin_launch(uint64_t grid_blocks);
void vector_clock_end_launch(void); /* frees everything */
void vector_clock_end_block(const struct block *block);

/* scope: enum simt_scope; order: enum simt_fence_order. */
void vector_clock_fence(struct thread *thread, int scope, int order);
void vector_clock_join_warp(struct thread *first, uint32_t lanes);
void vector_clock_join_block(const struct block *block);

/* The message that a strong write by the thread leaves in place of `before`; a read-modify-write also passes on
 * `before`. Takes ownership of `before`, which may be null. Null if the thread has released nothing. */
struct message *vector_clock_release(struct thread *thread, struct message *before, bool chained,
                                     bool for_block);
/* chained: the strong read is the first half of a read-modify-write. */
void vector_clock_acquire(struct thread *thread, const struct message *message, bool chained, bool for_block);
bool vector_clock_reaches_all(const struct message *message); /* or only the threads of one block */
void vector_clock_drop(struct message *message);
struct message *vector_clock_copy(struct message *message);

/* Is an access by another thread ordered before what `thread` does now? For accesses of another block, or of the
 * same block since its last barrier. */
enum order vector_clock_order(const struct thread *thread, uint64_t block, uint32_t epoch, uint32_t clock);

#endif
