#include "checks/deadlock.h"
#include "checks/warp_misuse.h"
#include "report/finding.h"
#include "report/thread_states.h"

static void add_note(struct finding_facts *facts, bool wanted, enum simt_note note)
{
    unsigned used = 0;
    while (facts->note[used] != SIMT_NOTE_NONE)
        used++;
    if (wanted && used < SIMT_NOTES)
        facts->note[used] = note;
}

void deadlock_report(const struct block *blocks, unsigned used, uint64_t started)
{
    if (warp_misuse_report(blocks, used))
        return;
    static struct thread_states states; /* threads of a kernel have small stacks */
    states = (struct thread_states){.sides = 0};
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
            thread_states_add(&blocks[i], active - 1, &states);
    }
    struct finding_facts facts = {
        .rule = SIMT_RULE_NO_PROGRESS,
        .site = site,
        .side = states.side,
        .sides = states.sides,
        .hint = spins ? SIMT_HINT_WHO_WRITES_FLAG : SIMT_HINT_SAME_BARRIER,
        .fact = {FACT_TEXT(KERNEL, current_launch->kernel), FACT_NUMBER(GROUPS, states.more[0]),
                 FACT_NUMBER(SECOND_GROUPS, states.more[1]), FACT_NUMBER(BLOCKS, active - 2),
                 FACT_NUMBER(WAITING, current_launch->grid_blocks - started),
                 FACT_NUMBER(GRID_BLOCKS, current_launch->grid_blocks)}};
    add_note(&facts, states.more[0] > 0, SIMT_NOTE_MORE_GROUPS);
    add_note(&facts, states.more[1] > 0, SIMT_NOTE_MORE_GROUPS_OF_SECOND);
    add_note(&facts, active > 2, SIMT_NOTE_MORE_BLOCKS);
    add_note(&facts, started < current_launch->grid_blocks, SIMT_NOTE_BLOCKS_NOT_STARTED);
    add_note(&facts, spins && !host_is_alone(), SIMT_NOTE_HOST_THREADS);
    finding_report(&facts);
}
