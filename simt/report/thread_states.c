#include "report/thread_states.h"
#include "report/finding.h"
#include "report/source.h"

enum { MAX_GROUPS = 4 }; /* groups named for each block; further ones are counted */

enum simt_act thread_state_act(enum thread_state state)
{
    switch (state) {
    case THREAD_AT_BARRIER:
        return SIMT_ACT_WAITS_AT_BARRIER;
    case THREAD_AT_WARP:
        return SIMT_ACT_WAITS_FOR_WARP;
    case THREAD_AT_GRID:
        return SIMT_ACT_WAITS_AT_GRID;
    case THREAD_EXITED:
        return SIMT_ACT_HAS_RETURNED;
    default:
        return SIMT_ACT_SPINS;
    }
}

static struct simt_location location_of(const struct thread *thread)
{
    struct simt_location location = {.line = 0};
    if (thread->wait_site && thread->state != THREAD_EXITED)
        source_location(thread->wait_site, &location);
    return location;
}

/* Adds the group of threads that have the state and line of `leader`, and marks them as done. */
static void add_group(const struct block *block, unsigned leader, const int line[], bool done[],
                      struct thread_states *states)
{
    const enum thread_state state = block->threads[leader].state;
    struct simt_side side = {
        .actor = SIMT_ACTOR_THREADS, .act = thread_state_act(state), .block = block->number};
    for (unsigned i = leader; i < current_launch->block_threads; i++) {
        if (done[i] || block->threads[i].state != state || line[i] != line[leader])
            continue;
        side.threads[i / 32] |= 1u << i % 32;
        done[i] = true;
    }
    if (!states)
        return;
    const struct simt_location location = location_of(&block->threads[leader]);
    finding_stands_at(&side, &location);
    states->side[states->sides++] = side;
}

void thread_states_add(const struct block *block, unsigned number, struct thread_states *states)
{
    const unsigned count = current_launch->block_threads;
    int line[MAX_THREADS_PER_BLOCK];
    bool done[MAX_THREADS_PER_BLOCK] = {false};
    unsigned groups = 0;
    for (unsigned i = 0; i < count; i++)
        line[i] = location_of(&block->threads[i]).line;
    for (int exited = 0; exited < 2; exited++) {
        for (unsigned i = 0; i < count; i++) {
            if (done[i] || (block->threads[i].state == THREAD_EXITED) != (exited == 1))
                continue;
            const bool named = (exited || ++groups <= MAX_GROUPS) && states->sides < SIMT_SIDES;
            add_group(block, i, line, done, named ? states : NULL);
        }
    }
    states->more[number] = groups > MAX_GROUPS ? groups - MAX_GROUPS : 0;
}
