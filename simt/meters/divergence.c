/* Meter `divergent branches`: how often the lanes of a warp take different paths.
 *
 * The path of a lane between two barriers of the block is the sequence of its accesses to memory, by their sites in
 * the code. If the lanes of a warp took k different paths, k - 1 branches diverged: a branch counts once for each
 * warp and step, however long its loop is. A branch around code without memory accesses is not counted. */
#include "core/observer.h"

static uint64_t branches;

static void begin_run(void)
{
    branches = 0;
}

static void follow(const struct access *access)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    current_thread->path = (current_thread->path ^ (uintptr_t)access->site) * odd;
}

/* The number of different paths that the lanes took, minus one. */
static unsigned count_warp(struct thread *lanes, unsigned count)
{
    unsigned different = 0;
    for (unsigned i = 1; i < count; i++) {
        unsigned k = 0;
        while (lanes[k].path != lanes[i].path)
            k++;
        different += k == i;
    }
    return different;
}

static void end_step(const struct block *block)
{
    const unsigned threads = current_launch->block_threads;
    for (unsigned first = 0; first < threads; first += WARP_SIZE) {
        unsigned count = threads - first < WARP_SIZE ? threads - first : WARP_SIZE;
        branches += count_warp(block->threads + first, count);
    }
    for (unsigned i = 0; i < threads; i++)
        block->threads[i].path = 0;
}

static void begin_block(const struct block *block)
{
    for (unsigned i = 0; i < current_launch->block_threads; i++)
        block->threads[i].path = 0;
}

static uint64_t value(void)
{
    return branches;
}

const struct observer divergence_observer = {.name = "divergence",
                                             .meter = "divergent branches",
                                             .value = value,
                                             .detailed = true,
                                             .begin_run = begin_run,
                                             .begin_block = begin_block,
                                             .access = follow,
                                             .barrier = end_step,
                                             .end_block = end_step};
