/* Meters of how a launch's work is shared: `accesses and combines`, all of them; and of those `in the busiest thread`
 * and `in the busiest block`, the most that one thread and one block of a launch make, added up over the launches.
 * An access counts as in chains.c. */
#include "chains.h"

static uint64_t all, of_threads, of_blocks;    /* launches that have ended */
static uint64_t busiest_thread, busiest_block; /* of the running launch */

static void begin_run(void)
{
    all = of_threads = of_blocks = 0;
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    busiest_thread = busiest_block = 0;
}

static void begin_block(const struct block *block)
{
    for (unsigned i = 0; i < current_launch->block_threads; i++)
        block->threads[i].work = 0;
}

static void end_block(const struct block *block)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        const uint64_t work = block->threads[i].work;
        sum += work;
        busiest_thread = work > busiest_thread ? work : busiest_thread;
    }
    all += sum;
    busiest_block = sum > busiest_block ? sum : busiest_block;
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    of_threads += busiest_thread;
    of_blocks += busiest_block;
}

static void look(const struct access *access)
{
    current_thread->work += chain_links(access);
}

static void combine(const void *site)
{
    (void)site;
    current_thread->work += !harness_works;
}

static uint64_t all_value(void)
{
    return all;
}

static uint64_t threads_value(void)
{
    return of_threads;
}

static uint64_t blocks_value(void)
{
    return of_blocks;
}

const struct observer shares_observer = {.name = "shares",
                                         .meter = "accesses and combines",
                                         .value = all_value,
                                         .detailed = true,
                                         .of_sharing = true,
                                         .begin_run = begin_run,
                                         .begin_launch = begin_launch,
                                         .end_launch = end_launch,
                                         .begin_block = begin_block,
                                         .end_block = end_block,
                                         .access = look,
                                         .combine = combine};
const struct observer busiest_thread_observer = {.name = "busiest thread",
                                                 .meter = "in the busiest thread",
                                                 .value = threads_value,
                                                 .detailed = true,
                                                 .of_sharing = true};
const struct observer busiest_block_observer = {.name = "busiest block",
                                                .meter = "in the busiest block",
                                                .value = blocks_value,
                                                .detailed = true,
                                                .of_sharing = true};
