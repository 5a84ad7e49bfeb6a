#include "report/thread_states.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/thread_set.h"

#include <stdio.h>
#include <string.h>

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

static void add(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? "\n" : "", more);
}

static int line_of(const struct thread *thread)
{
    struct simt_place place = {.line = 0};
    if (thread->wait_site && thread->state != THREAD_EXITED)
        source_place(thread->wait_site, &place);
    return place.line;
}

/* Adds the group of the threads that are where `leader` is, and marks them as done. */
static void add_group(const struct block *block, unsigned leader, const int line[], bool done[], bool silent,
                      char *out, size_t size)
{
    const enum thread_state state = block->threads[leader].state;
    const unsigned count = current_launch->block_threads;
    bool member[MAX_THREADS_PER_BLOCK] = {false};
    char names[128];
    unsigned members = 0;
    for (unsigned i = leader; i < count; i++) {
        member[i] = !done[i] && block->threads[i].state == state && line[i] == line[leader];
        done[i] = done[i] || member[i];
        members += member[i];
    }
    if (silent)
        return;
    thread_set_text(member, count, names, sizeof names);
    const char *where = line[leader] > 0 ? text(" at line %d", line[leader]) : "";
    add(out, size,
        text("%s of block %llu %s%s", names, (unsigned long long)block->number,
             thread_state_verb(state, members == 1), where));
}

void thread_states_add(const struct block *block, char *out, size_t size)
{
    const unsigned count = current_launch->block_threads;
    int line[MAX_THREADS_PER_BLOCK];
    bool done[MAX_THREADS_PER_BLOCK] = {false};
    unsigned groups = 0;
    for (unsigned i = 0; i < count; i++)
        line[i] = line_of(&block->threads[i]);
    for (int exited = 0; exited < 2; exited++) {
        if (exited && groups > MAX_GROUPS)
            add(out, size, text("and %u more groups of threads", groups - MAX_GROUPS));
        for (unsigned i = 0; i < count; i++) {
            if (!done[i] && (block->threads[i].state == THREAD_EXITED) == (exited == 1))
                add_group(block, i, line, done, !exited && ++groups > MAX_GROUPS, out, size);
        }
    }
}
