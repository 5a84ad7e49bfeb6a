/* Meter `steps`: the depth of an algorithm in combines.
 *
 * It is the length of the longest chain of combines in which each comes after the one before it: later in the same
 * thread, or in a thread that has met the other since, at a barrier of the block, in an operation of the warp, by
 * reading an address with a volatile or atomic access that the other has written with one, or in an earlier
 * launch. With one processor a thread and time for nothing but combines, the algorithm takes so long. Combines of
 * one thread that could overlap count one after the other, and so do launches in different streams.
 *
 * Each thread carries the length of the longest chain that ends in it, and where threads meet, the longest of
 * theirs goes on in all. */
#include "places.h"

/* The longest chain that a volatile or atomic write has published at an address. */
static struct places published;

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
    for (unsigned i = 0; i < current_launch->block_threads; i++)
        block->threads[i].steps = before;
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
    if (*steps > current_thread->steps && (access->kind & (ACCESS_ATOMIC | ACCESS_WRITE)) != ACCESS_WRITE)
        current_thread->steps = (uint32_t)*steps;
    if (access->kind & ACCESS_WRITE)
        *steps = current_thread->steps;
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
                                        .begin_block = begin_block,
                                        .access = look,
                                        .barrier = barrier,
                                        .warp = warp,
                                        .combine = combine};
