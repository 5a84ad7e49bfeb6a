/* Barrier divergence: some threads of a block do not reach a barrier, or reach it at different locations. The
 * barrier still releases them, as the hardware does.
 *
 * From compute capability 7.0 on, a barrier does not wait for threads that have returned. If all other threads are
 * there, this is only a warning. But a thread that bypassed the barrier, in a branch or loop, still existed when it
 * should have waited; that it has reached the end of the kernel by now is an accident of the schedule. */
#include "core/observer.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/thread_states.h"

#include <string.h>

static int line_of(const void *site)
{
    struct simt_location location;
    source_location(site, &location);
    return location.line;
}

/* The compiler may duplicate a barrier of the source, so only other lines count. */
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

/* Once the threads of a block are out of step, their next barriers are wrong, too. */
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

static void report(const struct block *block, enum simt_rule rule, enum simt_hint hint)
{
    const bool warning = rule == SIMT_RULE_BARRIER_AFTER_RETURN;
    if (finding_repeats(SIMT_BARRIER, warning, block->barrier_site) ||
        (!warning && !is_first_of_block(block)))
        return;
    static struct thread_states states; /* threads of a kernel have small stacks */
    states = (struct thread_states){.sides = 0};
    thread_states_add(block, 0, &states);
    finding_report(&(struct finding_facts){
        .rule = rule,
        .warning = warning,
        .site = block->barrier_site,
        .side = states.side,
        .sides = states.sides,
        .note = {states.more[0] > 0 ? SIMT_NOTE_MORE_GROUPS : SIMT_NOTE_NONE},
        .hint = hint,
        .fact = {FACT_NUMBER(REACHED, block->unfinished), FACT_NUMBER(THREADS, current_launch->block_threads),
                 FACT_NUMBER(GROUPS, states.more[0])}});
}

/* Did the returned thread return before it reached this barrier? That is so if its `return` is above the barrier,
 * or in a loop around it: then the last barrier at which it waited is this one or one below. If the barrier and the
 * `return` are in different functions, the thread had not reached the barrier. */
static bool left_before(const struct thread *thread, const struct simt_location *barrier)
{
    struct simt_location left, last = {.line = 0};
    if (!thread->left_site)
        return false;
    source_location(thread->left_site, &left);
    if (strcmp(left.function, barrier->function) != 0 || left.line < barrier->line)
        return true;
    if (thread->barrier_site)
        source_location(thread->barrier_site, &last);
    return last.line >= barrier->line;
}

static bool all_left_before(const struct block *block)
{
    struct simt_location barrier;
    const struct thread *known = NULL; /* one that did; most others are like it */
    source_location(block->barrier_site, &barrier);
    for (unsigned i = 0; i < current_launch->block_threads; i++) {
        const struct thread *thread = &block->threads[i];
        if (thread->state != THREAD_EXITED ||
            (known && known->left_site == thread->left_site && known->barrier_site == thread->barrier_site))
            continue;
        if (!left_before(thread, &barrier))
            return false;
        known = thread;
    }
    return true;
}

static void check(const struct block *block)
{
    if (block->barrier_mixed && waits_elsewhere(block))
        report(block, SIMT_RULE_BARRIERS_DIFFER, SIMT_HINT_BARRIER_OUT_OF_BRANCH);
    else if (block->unfinished == current_launch->block_threads)
        return;
    else if (all_left_before(block))
        report(block, SIMT_RULE_BARRIER_AFTER_RETURN, SIMT_HINT_BARRIER_AFTER_RETURN);
    else
        report(block, SIMT_RULE_BARRIER_NOT_REACHED, SIMT_HINT_BARRIER_FOR_ALL);
}

const struct observer barriers_observer = {.name = "barriers", .barrier = check};
