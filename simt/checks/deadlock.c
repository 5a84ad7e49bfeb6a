#include "checks/deadlock.h"
#include "checks/warp_misuse.h"
#include "report/finding.h"
#include "report/thread_states.h"

#include <stdio.h>
#include <string.h>

static void add(struct thread_states *states, const char *more)
{
    const size_t used = strlen(states->more);
    snprintf(states->more + used, sizeof states->more - used, "%s%s", used > 0 ? "\n" : "", more);
}

void deadlock_report(const struct block *blocks, unsigned used, uint64_t started)
{
    if (warp_misuse_report(blocks, used))
        return;
    struct thread_states states = {.sides = 0};
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
            thread_states_add(&blocks[i], &states);
    }
    if (active > 2)
        add(&states, text("and %u more blocks", active - 2));
    if (started < current_launch->grid_blocks)
        add(&states, text("%llu of %llu blocks have not started: the device is full of blocks that wait",
                          (unsigned long long)(current_launch->grid_blocks - started),
                          (unsigned long long)current_launch->grid_blocks));
    if (spins && !host_is_alone())
        add(&states,
            "other host threads may write to managed and pinned memory meanwhile; their calls of the "
            "runtime, and their launches, wait for this kernel");
    const char *hint = spins
                           ? "who writes the flag that they read, and can that thread still run? A block may "
                             "wait only for blocks that have started: number tiles with an atomic ticket"
                           : "every thread of the block, or of the mask, must come to the same barrier";
    finding_report(
        &(struct finding_text){.kind = SIMT_DEADLOCK,
                               .site = site,
                               .title = text("deadlock in %s: no thread can go on", current_launch->kernel),
                               .side = states.side,
                               .sides = states.sides,
                               .detail = states.more,
                               .hint = hint});
}
