/* vector_clock.h: what each thread of a launch knows to be done, beyond what barriers of its block say. Internal.
 *
 * A thread's time is a count of its own synchronisations, so an access is told by its block, the block's
 * epoch (barriers passed), the thread and that count. Three things carry knowledge from thread to thread:
 *   __syncwarp    all lanes named know what each of them knew and did;
 *   a barrier     the same for the block; what was done in it is told by the epoch alone;
 *   a message     left at an address by a strong (volatile or atomic) write: what its thread knew at its last
 *                 fence before. A strong read takes it as an offer, and the reader's next fence makes it known.
 * Knowledge is kept in persistent trees, by number of the block, that share all that did not change. They live
 * as long as the launch. */
#ifndef SIMT_VECTOR_CLOCK_H
#define SIMT_VECTOR_CLOCK_H

#include "core/thread.h"

/* A thread's clock: its number in the block, and its synchronisations so far; these stop at the last value. */
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
    ORDER_OFFERED, /* there would be one, if the reader of the flag had a fence before its next access */
    ORDER_BEFORE
};

struct message;

void vector_clock_begin_launch(uint64_t grid_blocks);
void vector_clock_end_launch(void); /* forgets everything */
void vector_clock_end_block(const struct block *block);

/* scope: enum simt_scope. */
void vector_clock_fence(struct thread *thread, int scope);
void vector_clock_join_warp(struct thread *first, uint32_t lanes);
void vector_clock_join_block(const struct block *block);

/* The message that a strong write by the thread leaves, in place of `before`; a read-modify-write passes on what
 * was there. Takes over `before`, which may be null; null when there is nothing to tell. */
struct message *vector_clock_release(struct thread *thread, struct message *before, bool chained,
                                     bool for_block);
void vector_clock_acquire(struct thread *thread, const struct message *message, bool for_block);
bool vector_clock_reaches_all(const struct message *message); /* or the threads of one block only */
void vector_clock_drop(struct message *message);
struct message *vector_clock_copy(struct message *message);

/* Is an access by another thread before what `thread` does now? For accesses of another block, or of the same
 * one since its last barrier. */
enum order vector_clock_order(const struct thread *thread, uint64_t block, uint32_t epoch, uint32_t clock);

#endif
