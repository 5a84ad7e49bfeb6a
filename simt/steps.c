/* Meter `steps`: the depth of an algorithm in combines.
 *
 * It is the length of the longest chain of combines in which each comes after the one before it: later in the same
 * thread, or in a thread that has met the other since, at a barrier of the block or the grid, in an operation of the warp, by
 * reading an address with a volatile or atomic access that the other has written with one, or in an earlier
 * launch. With one processor a thread and time for nothing but combines, the algorithm takes so long. Combines of
 * one thread that could overlap count one after the other, and so do launches in different streams.
 *
 * Each thread carries the length of the longest chain that ends in it, and where threads meet, the longest of
 * theirs goes on in all. */
#include "places.h"

#include <stdlib.h>

/* The longest chain that a volatile or atomic write has published at an address. */
static struct places published;

static const struct block **blocks; /* that are resident */
static size_t block_count;

static uint32_t longest; /* chain so far */
static uint32_t before;  /* chains of earlier launches */

static void begin_run(void)
{
    longest = before = 0;
    places_clear(&published);
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    before = longest;
}

static void begin_block(const struct block *block)
{
    const struct block **more = realloc(blocks, (block_count + 1) * sizeof *blocks);
    if (!more)
        abort(); /* a meter that loses counts would be a wrong one */
    blocks = more;
    blocks[block_count++] = block;
    for (unsigned i = 0; i < current_launch->block_threads; i++)
        block->threads[i].steps = before;
}

static void end_block(const struct block *block)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i] == block)
            blocks[i--] = blocks[--block_count];
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    block_count = 0;
}

static void combine(const void *site)
{
    (void)site;
    if (++current_thread->steps > longest)
        longest = current_thread->steps;
}

static void meet(struct thread *threads, unsigned count)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < count; i++)
        if (threads[i].steps > most)
            most = threads[i].steps;
    for (unsigned i = 0; i < count; i++)
        threads[i].steps = most;
}

static void barrier(const struct block *block)
{
    meet(block->threads, current_launch->block_threads);
}

/* All threads of the grid meet: the longest chain of all goes on in each. */
static void grid(void)
{
    for (size_t b = 0; b < block_count; b++)
        for (unsigned i = 0; i < current_launch->block_threads; i++)
            blocks[b]->threads[i].steps = longest;
}

static void warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    (void)mask, (void)operation;
    struct thread *lanes = first->block->threads + first->number;
    uint32_t most = 0;
    for (uint32_t left = arrived; left; left &= left - 1)
        if (lanes[__builtin_ctz(left)].steps > most)
            most = lanes[__builtin_ctz(left)].steps;
    for (uint32_t left = arrived; left; left &= left - 1)
        lanes[__builtin_ctz(left)].steps = most;
}

static void look(const struct access *access)
{
    if (!(access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)))
        return;
    uint64_t *steps = places_at(&published, access);
    const bool writes = access->kind & ACCESS_WRITE;
    if (*steps > current_thread->steps && (!writes || access->kind & ACCESS_CHAINED))
        current_thread->steps = (uint32_t)*steps;
    if (writes && !(access->kind & ACCESS_SWAP))
        *steps = current_thread->steps;
}

static void swap(const struct access *access)
{
    *places_at(&published, access) = current_thread->steps;
}

static uint64_t value(void)
{
    return longest;
}

const struct observer steps_observer = {.name = "steps",
                                        .meter = "steps",
                                        .value = value,
                                        .detailed = true,
                                        .begin_run = begin_run,
                                        .begin_launch = begin_launch,
                                        .end_launch = end_launch,
                                        .begin_block = begin_block,
                                        .end_block = end_block,
                                        .access = look,
                                        .swap = swap,
                                        .barrier = barrier,
                                        .grid = grid,
                                        .warp = warp,
                                        .combine = combine};
