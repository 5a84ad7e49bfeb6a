/* Warp misuse: operations that wait for lanes which never come, and lanes that come to one operation with
 * different masks. A shuffle from a lane that takes no part is found in runtime/warp_api.c. A lane that returns is no longer waited for: CUDA asks only those of a mask that have not. */
#include "checks/warp_misuse.h"
#include "core/warp.h"
#include "report/finding.h"
#include "report/source.h"
#include "report/thread_set.h"
#include "report/thread_states.h"

#include <stdio.h>
#include <string.h>

enum { MAX_GROUPS = 5 }; /* named in one finding; the rest is counted */

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

/* The lanes that `waiting` waits for in vain: those that its mask names, and that are not with it. */
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

/* Has it come to the operation that `waiting` waits in, with another mask? */
static bool came_with_another_mask(const struct thread *thread, const struct thread *waiting)
{
    if (waits_in_warp(thread))
        return thread->request->operation == waiting->request->operation &&
               thread->request->mask != waiting->request->mask;
    /* By its line: the compiler may make two calls of one, with a mask each. */
    return thread->warp_mask != waiting->request->mask && thread->warp_site &&
           source_same_line(thread->warp_site, waiting->wait_site);
}

/* "line 12" where it is in the file that the finding stands in, else "scan.cuh:12". */
static const char *location_near(const void *site, const void *finding)
{
    struct simt_location location = {.line = 0}, first = {.line = 0};
    source_location(site, &location);
    source_location(finding, &first);
    if (strcmp(location.file, first.file) == 0)
        return text("line %d", location.line);
    return location.line ? text("%s:%d", location.file, location.line) : "an unknown place";
}

/* "lanes 0-15 wait in __shfl_sync(0x0000ffff) at line 12", a line for each group of lanes. */
static void describe(const struct thread *first, unsigned lanes, const struct thread *waiting, char *out,
                     size_t size)
{
    bool done[WARP_SIZE] = {false};
    unsigned groups = 0;
    for (unsigned i = 0; i < lanes; i++) {
        const struct thread *leader = &first[i];
        if (done[i])
            continue;
        bool member[WARP_SIZE] = {false};
        for (unsigned k = i; k < lanes; k++) {
            member[k] = !done[k] && first[k].state == leader->state &&
                        (leader->state == THREAD_EXITED || first[k].wait_site == leader->wait_site) &&
                        waits_in_warp(&first[k]) == waits_in_warp(leader) &&
                        (!waits_in_warp(leader) || same_operation(&first[k], leader));
            done[k] = done[k] || member[k];
        }
        if (++groups > MAX_GROUPS)
            continue;
        char numbers[96];
        const bool one = thread_set_numbers(member, lanes, numbers, sizeof numbers) == 1;
        const char *at = leader->wait_site ? location_near(leader->wait_site, waiting->wait_site) : "";
        const char *what =
            leader->state == THREAD_EXITED ? (one ? "has returned" : "have returned")
            : waits_in_warp(leader)
                ? text("%s in %s(0x%08x) at %s", one ? "waits" : "wait",
                       warp_operation_name(leader->request->operation), leader->request->mask, at)
                : text("%s at %s", thread_state_verb(leader->state, one), at);
        const char *before = !waits_in_warp(leader) && came_with_another_mask(leader, waiting)
                                 ? text(", after coming there with the mask 0x%08x", leader->warp_mask)
                                 : "";
        const size_t length = strlen(out);
        snprintf(out + length, size - length, "%slane%s %s %s%s", length ? "\n" : "", one ? "" : "s", numbers,
                 what, before);
    }
    if (groups > MAX_GROUPS) {
        const size_t length = strlen(out);
        snprintf(out + length, size - length, "\nand %u more groups of lanes", groups - MAX_GROUPS);
    }
}

static void report(const struct thread *first, unsigned lanes, const struct thread *waiting,
                   const struct thread *other)
{
    const bool other_mask = came_with_another_mask(other, waiting);
    const char *other_name = waits_in_warp(other) ? warp_operation_name(other->request->operation) : NULL;
    char lines[1024] = "";
    describe(first, lanes, waiting, lines, sizeof lines);
    finding_report(&(struct finding_facts){
        .rule = other_mask   ? SIMT_RULE_MASKS_DIFFER
                : other_name ? SIMT_RULE_OPERATIONS_DIFFER
                             : SIMT_RULE_LANES_NEVER_COME,
        .site = waiting->wait_site,
        .variable = finding_named(warp_operation_name(waiting->request->operation)),
        .note = {SIMT_NOTE_LANES},
        .hint = other_mask ? SIMT_HINT_MASK_BEFORE_BRANCH : SIMT_HINT_ALL_LANES,
        .fact = {FACT_NUMBER(BLOCK, waiting->block->number), FACT_NUMBER(WARP, first->number / WARP_SIZE),
                 FACT_TEXT(LANES, lines), FACT_TEXT(OTHER_OPERATION, other_name),
                 FACT_NUMBER(MASK, waiting->request->mask)}});
}

/* The lane that `waiting` waits for and that waits elsewhere itself; null when those that are missing spin. */
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
