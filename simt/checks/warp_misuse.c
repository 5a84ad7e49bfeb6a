/* Warp misuse: operations that wait for lanes that never come, and lanes that come to one operation with different
 * masks. runtime/warp_api.c finds shuffles from lanes that take no part. Lanes that have returned are not waited
 * for, because CUDA requires only the unfinished lanes of a mask. */
#include "checks/warp_misuse.h"
#include "core/warp.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/thread_states.h"

#include <stdio.h>

enum { MAX_GROUPS = 5 }; /* groups that are named in a finding; further ones are counted */

static struct thread *warp_at(const struct block *block, unsigned warp, unsigned *lanes)
{
    unsigned left = current_launch->block_threads - warp * WARP_SIZE;
    *lanes = left < WARP_SIZE ? left : WARP_SIZE;
    return block->threads + (size_t)warp * WARP_SIZE;
}

static bool waits_in_warp(const struct thread *thread)
{
    return thread->state == THREAD_AT_WARP && thread->request;
}

static bool same_operation(const struct thread *a, const struct thread *b)
{
    return waits_in_warp(a) && waits_in_warp(b) && a->request->mask == b->request->mask &&
           a->request->operation == b->request->operation;
}

/* The lanes for which `waiting` waits in vain: those in its mask that are not in the same operation. */
static uint32_t missing_lanes(const struct thread *first, unsigned lanes, const struct thread *waiting)
{
    uint32_t missing = 0;
    for (unsigned i = 0; i < lanes; i++) {
        if (waiting->request->mask >> i & 1 && first[i].state != THREAD_EXITED &&
            !same_operation(&first[i], waiting))
            missing |= (uint32_t)1 << i;
    }
    return missing;
}

/* Has the thread come to the operation in which `waiting` waits, with a different mask? */
static bool came_with_another_mask(const struct thread *thread, const struct thread *waiting)
{
    if (waits_in_warp(thread))
        return thread->request->operation == waiting->request->operation &&
               thread->request->mask != waiting->request->mask;
    /* Compares lines, because the compiler may duplicate a call, each copy with its own mask. */
    return thread->warp_mask != waiting->request->mask && thread->warp_site &&
           source_same_line(thread->warp_site, waiting->wait_site);
}

/* Adds a side for each group of lanes, such as "lanes 0-15" "wait in __shfl_sync(0x0000ffff)". Returns the number
 * of groups without a side. */
static unsigned add_groups(const struct thread *first, unsigned lanes, struct simt_side sides[SIMT_SIDES],
                           unsigned *used)
{
    bool done[WARP_SIZE] = {false};
    unsigned more = 0;
    for (unsigned i = 0; i < lanes; i++) {
        const struct thread *leader = &first[i];
        if (done[i])
            continue;
        struct simt_side side = {.actor = SIMT_ACTOR_LANES, .act = thread_state_act(leader->state)};
        for (unsigned k = i; k < lanes; k++) {
            const bool member = !done[k] && first[k].state == leader->state &&
                                (leader->state == THREAD_EXITED || first[k].wait_site == leader->wait_site) &&
                                waits_in_warp(&first[k]) == waits_in_warp(leader) &&
                                (!waits_in_warp(leader) || same_operation(&first[k], leader));
            side.threads[0] |= (uint32_t)member << k;
            done[k] = done[k] || member;
        }
        if (waits_in_warp(leader)) {
            side.act = SIMT_ACT_WAITS_IN_OPERATION;
            side.mask = leader->request->mask;
            snprintf(side.operation, sizeof side.operation, "%s",
                     warp_operation_name(leader->request->operation));
        }
        if (leader->state != THREAD_EXITED && leader->wait_site) {
            struct simt_location at;
            source_location(leader->wait_site, &at);
            finding_stands_at(&side, &at);
        }
        if (*used < MAX_GROUPS)
            sides[(*used)++] = side;
        else
            more++;
    }
    return more;
}

static void report(const struct thread *first, unsigned lanes, const struct thread *waiting,
                   const struct thread *other)
{
    const bool other_mask = came_with_another_mask(other, waiting), waits = waits_in_warp(other);
    static struct simt_side sides[SIMT_SIDES]; /* threads of a kernel have small stacks */
    unsigned used = 0;
    const unsigned more = add_groups(first, lanes, sides, &used);
    struct finding_facts facts = {
        .rule = other_mask ? SIMT_RULE_MASKS_DIFFER
                : waits    ? SIMT_RULE_OPERATIONS_DIFFER
                           : SIMT_RULE_LANES_NEVER_COME,
        .site = waiting->wait_site,
        .variable = finding_named(warp_operation_name(waiting->request->operation)),
        .side = sides,
        .sides = used,
        .hint = other_mask ? SIMT_HINT_MASK_BEFORE_BRANCH : SIMT_HINT_ALL_LANES,
        .fact = {FACT_NUMBER(BLOCK, waiting->block->number), FACT_NUMBER(WARP, first->number / WARP_SIZE),
                 FACT_NUMBER(MASK, waiting->request->mask), FACT_NUMBER(GROUPS, more),
                 FACT_NUMBER(OTHER_LANE, thread_lane(other)), FACT_NUMBER(OTHER_MASK, other->warp_mask),
                 FACT_TEXT(OTHER_OPERATION, waits ? warp_operation_name(other->request->operation) : NULL)}};
    unsigned notes = 0;
    if (more > 0)
        facts.note[notes++] = SIMT_NOTE_MORE_LANES;
    if (other_mask && !waits)
        facts.note[notes++] = SIMT_NOTE_CAME_WITH_MASK;
    facts.note[notes] = SIMT_NOTE_WARP;
    finding_report(&facts);
}

/* A lane that keeps `waiting` waiting and itself waits elsewhere; null if the missing lanes spin. */
static const struct thread *find_reason(const struct thread *first, unsigned lanes,
                                        const struct thread *waiting)
{
    const uint32_t missing = missing_lanes(first, lanes, waiting);
    const struct thread *reason = NULL;
    for (unsigned i = 0; i < lanes; i++) {
        if (!(missing >> i & 1) || thread_is_ready(&first[i]))
            continue;
        if (!reason || (waits_in_warp(&first[i]) && !waits_in_warp(reason)))
            reason = &first[i];
    }
    return reason;
}

bool warp_misuse_report(const struct block *blocks, unsigned used)
{
    const unsigned warps = (current_launch->block_threads + WARP_SIZE - 1) / WARP_SIZE;
    for (unsigned b = 0; b < used; b++) {
        for (unsigned warp = 0; blocks[b].active && warp < warps; warp++) {
            unsigned lanes;
            const struct thread *first = warp_at(&blocks[b], warp, &lanes);
            for (unsigned i = 0; i < lanes; i++) {
                const struct thread *reason =
                    waits_in_warp(&first[i]) ? find_reason(first, lanes, &first[i]) : NULL;
                if (reason) {
                    report(first, lanes, &first[i], reason);
                    return true;
                }
            }
        }
    }
    return false;
}

void warp_misuse_foreign_mask(const struct thread *thread, uint32_t mask, const void *site)
{
    finding_report(
        &(struct finding_facts){.rule = SIMT_RULE_LANE_NOT_IN_MASK,
                                .site = site,
                                .thread = finding_thread(thread),
                                .note = {SIMT_NOTE_CALLED_BY},
                                .hint = SIMT_HINT_NAME_ALL_LANES,
                                .fact = {FACT_NUMBER(LANE, thread_lane(thread)), FACT_NUMBER(MASK, mask)}});
}

void warp_misuse_check_exit(const struct thread *thread)
{
    unsigned lanes;
    const struct thread *first = warp_at(thread->block, thread->number / WARP_SIZE, &lanes);
    for (unsigned i = 0; thread->warp_site && i < lanes; i++) {
        const struct thread *waiting = &first[i];
        if (!waits_in_warp(waiting) || !(waiting->request->mask >> thread_lane(thread) & 1) ||
            !came_with_another_mask(thread, waiting))
            continue;
        if (finding_repeats(SIMT_WARP, true, waiting->wait_site))
            return;
        finding_report(&(struct finding_facts){
            .rule = SIMT_RULE_MASK_DIFFERS_FROM_RETURNED,
            .warning = true,
            .site = waiting->wait_site,
            .variable = finding_named(warp_operation_name(waiting->request->operation)),
            .note = {SIMT_NOTE_RETURNED_LANE},
            .hint = SIMT_HINT_MASK_BEFORE_BRANCH,
            .fact = {FACT_NUMBER(BLOCK, thread->block->number), FACT_NUMBER(WARP, first->number / WARP_SIZE),
                     FACT_NUMBER(LANE, i), FACT_NUMBER(MASK, waiting->request->mask),
                     FACT_NUMBER(OTHER_LANE, thread_lane(thread)),
                     FACT_NUMBER(OTHER_MASK, thread->warp_mask)}});
        return;
    }
}
