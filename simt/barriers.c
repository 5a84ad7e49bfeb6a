/* Barrier divergence: a block's barrier that some threads of the block do not reach, because they returned
 * before it, or that they reach at different places. The barrier still lets them go, as the hardware does. */
#include "finding.h"
#include "observer.h"
#include "source.h"
#include "waits.h"

static int line_of(const void *site)
{
    struct simt_place place;
    source_place(site, &place);
    return place.line;
}

/* The compiler may turn one barrier of the source into several: only other lines count. */
static bool waits_elsewhere(const struct block *block)
{
    const int here = line_of(block->barrier_site);
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        const struct thread *thread = &block->threads[i];
        if (thread->state == THREAD_AT_BARRIER && thread->wait_site != block->barrier_site &&
            line_of(thread->wait_site) != here)
            return true;
    }
    return false;
}

/* Once the threads of a block are out of step, their next barriers are, too. */
static bool is_first_of_block(const struct block *block)
{
    static struct {
        uint64_t launch, block;
    } reported[MAX_RESIDENT_BLOCKS];
    const size_t slot = block->number % MAX_RESIDENT_BLOCKS;
    if (reported[slot].launch == current_launch->number && reported[slot].block == block->number)
        return false;
    reported[slot].launch = current_launch->number;
    reported[slot].block = block->number;
    return true;
}

static void report(const struct block *block, const char *title, const char *hint)
{
    if (finding_repeats(SIMT_BARRIER, false, block->barrier_site) || !is_first_of_block(block))
        return;
    char detail[1024] = "";
    waits_add(block, detail, sizeof detail);
    finding_report(&(struct finding_text){
        .kind = SIMT_BARRIER, .site = block->barrier_site, .title = title, .detail = detail, .hint = hint});
}

static void check(const struct block *block)
{
    const unsigned threads = current_launch->block_threads;
    if (block->barrier_mixed && waits_elsewhere(block))
        report(block, "threads of one block wait at different barriers",
               "move the barrier out of the branch or loop that only some threads take");
    else if (block->unfinished != threads)
        report(block, text("%u of %u threads reach this barrier", block->unfinished, threads),
               "let every thread come here: no early return before the barrier, and no if around it");
}

const struct observer barriers_observer = {.name = "barriers", .barrier = check};
