/* Barrier divergence: a block's barrier that some threads of the block do not reach, because they returned
 * before it, or that they reach at different places. The barrier still lets them go, as the hardware does. */
#include "finding.h"
#include "groups.h"
#include "observer.h"
#include "source.h"

#include <string.h>

static int line_of(const void *site)
{
    struct simt_place place;
    source_place(site, &place);
    return place.line;
}

/* The compiler may turn one barrier of the source into several: only other lines count. */
static void report_mixed(const struct block *block)
{
    const unsigned count = current_launch->block_threads;
    const int here = line_of(block->barrier_site);
    const void *elsewhere = NULL;
    for (unsigned i = 0; i < count && !elsewhere; i++) {
        const struct thread *thread = &block->threads[i];
        if (thread->state == THREAD_AT_BARRIER && thread->wait_site != block->barrier_site &&
            line_of(thread->wait_site) != here)
            elsewhere = thread->wait_site;
    }
    if (!elsewhere)
        return;
    bool members[MAX_THREADS_PER_BLOCK] = {false}, others[MAX_THREADS_PER_BLOCK] = {false};
    const int there = line_of(elsewhere);
    for (unsigned i = 0; i < count; i++) {
        const struct thread *thread = &block->threads[i];
        if (thread->state == THREAD_AT_BARRIER) {
            int line = line_of(thread->wait_site);
            members[i] = line == here;
            others[i] = line == there;
        }
    }
    char one[128], two[128];
    group_text(members, count, one, sizeof one);
    group_text(others, count, two, sizeof two);
    finding_report(&(struct finding_text){
        .kind = SIMT_BARRIER,
        .site = block->barrier_site,
        .title = "threads of one block wait at different barriers",
        .detail = text("in block %llu, %s wait at line %d and %s at line %d",
                       (unsigned long long)block->number, one, here, two, there),
        .hint = "move the barrier out of the branch or loop that only some threads take"});
}

static void report_missing(const struct block *block)
{
    const unsigned count = current_launch->block_threads;
    bool gone[MAX_THREADS_PER_BLOCK] = {false};
    for (unsigned i = 0; i < count; i++)
        gone[i] = block->threads[i].state == THREAD_EXITED;
    char who[128];
    group_text(gone, count, who, sizeof who);
    bool one = block->unfinished == count - 1;
    finding_report(&(struct finding_text){
        .kind = SIMT_BARRIER,
        .site = block->barrier_site,
        .title = text("%u of %u threads reach this barrier", block->unfinished, count),
        .detail = text("in block %llu, %s %s returned before it", (unsigned long long)block->number, who,
                       one ? "has" : "have"),
        .hint = "do not return early: let every thread reach the barrier and put the work inside an if"});
}

static void check(const struct block *block)
{
    if (block->barrier_mixed)
        report_mixed(block);
    if (block->unfinished != current_launch->block_threads)
        report_missing(block);
}

const struct observer barriers_observer = {.name = "barriers", .barrier = check};
