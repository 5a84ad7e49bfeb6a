#include "report/thread_states.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/thread_set.h"

#include <stdio.h>

enum { MAX_GROUPS = 4 }; /* groups named a block; the rest is counted */

const char *thread_state_verb(enum thread_state state, bool one)
{
    switch (state) {
    case THREAD_AT_BARRIER:
        return one ? "waits at the block's barrier" : "wait at the block's barrier";
    case THREAD_AT_WARP:
        return one ? "waits for its warp" : "wait for their warp";
    case THREAD_AT_GRID:
        return one ? "waits at the grid's barrier" : "wait at the grid's barrier";
    case THREAD_EXITED:
        return one ? "has returned" : "have returned";
    default:
        return one ? "spins" : "spin";
    }
}

static struct simt_location location_of(const struct thread *thread)
{
    struct simt_location location = {.line = 0};
    if (thread->wait_site && thread->state != THREAD_EXITED)
        source_location(thread->wait_site, &location);
    return location;
}

/* Adds the group of the threads that are where `leader` is, and marks them as done. */
static void add_group(const struct block *block, unsigned leader, const int line[], bool done[],
                      struct thread_states *states)
{
    const enum thread_state state = block->threads[leader].state;
    const unsigned count = current_launch->block_threads;
    bool member[MAX_THREADS_PER_BLOCK] = {false};
    char names[96];
    unsigned members = 0;
    for (unsigned i = leader; i < count; i++) {
        member[i] = !done[i] && block->threads[i].state == state && line[i] == line[leader];
        done[i] = done[i] || member[i];
        members += member[i];
    }
    if (!states)
        return;
    const struct simt_location location = location_of(&block->threads[leader]);
    struct simt_side *side = &states->side[states->sides++];
    thread_set_text(member, count, names, sizeof names);
    snprintf(side->who, sizeof side->who, "%s of block %llu", names, (unsigned long long)block->number);
    snprintf(side->does, sizeof side->does, "%s", thread_state_verb(state, members == 1));
    snprintf(side->file, sizeof side->file, "%.63s", location.file);
    side->line = location.line;
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
