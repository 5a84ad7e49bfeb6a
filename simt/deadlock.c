#include "deadlock.h"
#include "finding.h"
#include "groups.h"
#include "source.h"
#include "warps.h"

#include <stdio.h>
#include <string.h>

enum { MAX_GROUPS = 4 }; /* groups named a block; the rest is counted */

const char *deadlock_verb(enum thread_state state, bool one)
{
    switch (state) {
    case THREAD_AT_BARRIER:
        return one ? "waits at the block's barrier" : "wait at the block's barrier";
    case THREAD_AT_WARP:
        return one ? "waits for its warp" : "wait for their warp";
    case THREAD_AT_GRID:
        return one ? "waits at the grid's barrier" : "wait at the grid's barrier";
    default:
        return one ? "spins" : "spin";
    }
}

static void add(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

static void describe(const struct block *block, char *out, size_t size)
{
    const unsigned count = current_launch->block_threads;
    bool done[MAX_THREADS_PER_BLOCK] = {false};
    unsigned groups = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct thread *leader = &block->threads[i];
        if (done[i] || leader->state == THREAD_EXITED)
            continue;
        bool member[MAX_THREADS_PER_BLOCK] = {false};
        unsigned members = 0;
        for (unsigned k = i; k < count; k++) {
            const struct thread *thread = &block->threads[k];
            member[k] = !done[k] && thread->state == leader->state && thread->wait_site == leader->wait_site;
            done[k] = done[k] || member[k];
            members += member[k];
        }
        if (++groups > MAX_GROUPS)
            continue;
        struct simt_place place;
        source_place(leader->wait_site, &place);
        char names[128];
        group_text(member, count, names, sizeof names);
        add(out, size,
            text("%s%s of block %llu %s at line %d", out[0] ? "\n" : "", names,
                 (unsigned long long)block->number, deadlock_verb(leader->state, members == 1), place.line));
    }
    if (groups > MAX_GROUPS)
        add(out, size, text("\nand %u more groups of threads", groups - MAX_GROUPS));
}

void deadlock_report(const struct block *blocks, unsigned used, uint64_t started)
{
    if (warps_report_stuck(blocks, used))
        return;
    char detail[1024] = "";
    const void *site = NULL;
    unsigned active = 0;
    bool spins = false;
    for (unsigned i = 0; i < used; i++) {
        if (!blocks[i].active)
            continue;
        for (const struct thread *t = blocks[i].threads;
             t < blocks[i].threads + current_launch->block_threads; t++) {
            if (t->state == THREAD_EXITED)
                continue;
            spins = spins || thread_is_ready(t);
            if (!site || thread_is_ready(t))
                site = t->wait_site;
        }
        if (active++ < 2)
            describe(&blocks[i], detail, sizeof detail);
    }
    if (active > 2)
        add(detail, sizeof detail, text("\nand %u more blocks", active - 2));
    if (started < current_launch->grid_blocks)
        add(detail, sizeof detail,
            text("\n%llu of %llu blocks have not started: the device is full of blocks that wait",
                 (unsigned long long)(current_launch->grid_blocks - started),
                 (unsigned long long)current_launch->grid_blocks));
    const char *hint = spins
                           ? "who writes the flag that they read, and can that thread still run? A block may "
                             "wait only for blocks that have started: number tiles with an atomic ticket"
                           : "every thread of the block, or of the mask, must come to the same barrier";
    finding_report(
        &(struct finding_text){.kind = SIMT_DEADLOCK,
                               .site = site,
                               .title = text("deadlock in %s: no thread can go on", current_launch->kernel),
                               .detail = detail,
                               .hint = hint});
}
