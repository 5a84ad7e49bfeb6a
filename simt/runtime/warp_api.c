/* The results of warp operations, which are computed when the lanes have met. core/warp.c makes them meet. */
#include "core/schedule_order.h"
#include "core/schedule.h"
#include "core/warp.h"
#include "report/finding.h"
#include "runtime/device_api.h"
#include "simt.h"

#include <stdlib.h>

#define SITE __builtin_return_address(0)

static const uint64_t JUNK = 0xB5B5B5B5B5B5B5B5;

/* A lane's request, with the site of its call for findings. */
struct asked {
    struct warp_request request; /* must be first, because warp.c uses only this */
    const void *site;
};

static void meet(struct asked *asked, warp_finish *finish)
{
    device_only(warp_operation_name(asked->request.operation), asked->site);
    warp_meet(&asked->request, finish, asked->site);
}

void simt_warp_sync(uint32_t mask)
{
    struct asked asked = {{.operation = WARP_SYNC, .mask = mask}, SITE};
    meet(&asked, NULL);
}

/* ---- shuffles -------------------------------------------------------------------------------------------------- */

/* The lane from which a lane reads. It is the lane itself when the source is outside its segment of `width` lanes.
 * Only five bits of the argument count, as in the hardware. */
static unsigned source_lane(unsigned lane, enum simt_shuffle kind, int argument, int width)
{
    const unsigned by = (unsigned)argument % WARP_SIZE;
    const unsigned first = lane & ~((unsigned)width - 1), last = first + (unsigned)width - 1;
    switch (kind) {
    case SIMT_SHUFFLE_INDEX:
        return first | (by & ((unsigned)width - 1));
    case SIMT_SHUFFLE_UP:
        return lane >= first + by ? lane - by : lane;
    case SIMT_SHUFFLE_DOWN:
        return lane + by <= last ? lane + by : lane;
    case SIMT_SHUFFLE_XOR:
        break;
    }
    return (lane ^ by) <= last ? lane ^ by : lane;
}

/* The value from a lane that takes no part is undefined. It is junk here, with a warning only, because a kernel may
 * ignore it. */
static void warn_of_missing_source(const struct asked *asked, unsigned lane, unsigned source, uint32_t mask)
{
    const bool named = mask >> source & 1;
    const struct thread *thread = current_thread - thread_lane(current_thread) + lane;
    finding_report(&(struct finding_facts){
        .rule = SIMT_RULE_SOURCE_LANE_ABSENT,
        .warning = true,
        .site = asked->site,
        .note = {named ? SIMT_NOTE_SOURCE_HAS_RETURNED : SIMT_NOTE_SOURCE_NOT_IN_MASK},
        .hint = thread->warp_active == mask ? SIMT_HINT_ACTIVE_BY_CHANCE
                : named                     ? SIMT_HINT_KEEP_LANES
                                            : SIMT_HINT_NAME_ALL_LANES,
        .fact = {FACT_TEXT(WARP_OPERATION, warp_operation_name(asked->request.operation)),
                 FACT_NUMBER(BLOCK, current_block->number), FACT_NUMBER(LANE, lane),
                 FACT_NUMBER(SOURCE_LANE, source), FACT_NUMBER(MASK, mask)}});
}

static void finish_shuffle(struct warp_request *requests[WARP_SIZE], uint32_t mask)
{
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        struct warp_request *request = requests[lane];
        if (!request)
            continue;
        unsigned source = source_lane(lane, (enum simt_shuffle)(request->operation - WARP_SHUFFLE),
                                      request->argument, request->width);
        if (requests[source]) {
            request->result = requests[source]->value;
        } else {
            warn_of_missing_source((const struct asked *)request, lane, source, mask);
            request->result = JUNK;
        }
    }
}

uint64_t simt_warp_shuffle(uint32_t mask, uint64_t value, enum simt_shuffle kind, int argument, int width)
{
    struct asked asked = {{.operation = WARP_SHUFFLE + (int)kind,
                           .mask = mask,
                           .value = value,
                           .argument = argument,
                           .width = width},
                          SITE};
    if (width < 1 || width > WARP_SIZE || (width & (width - 1)) != 0) {
        finding_report(&(struct finding_facts){
            .rule = SIMT_RULE_SHUFFLE_WIDTH,
            .site = SITE,
            .hint = SIMT_HINT_SHUFFLE_WIDTHS,
            .fact = {FACT_TEXT(WARP_OPERATION, warp_operation_name(asked.request.operation)),
                     FACT_NUMBER(WIDTH, width)}});
        asked.request.width = WARP_SIZE;
    }
    meet(&asked, finish_shuffle);
    return asked.request.result;
}

/* ---- votes ---------------------------------------------------------------------------------------------------- */

static void finish_vote(struct warp_request *requests[WARP_SIZE], uint32_t mask)
{
    uint32_t here = 0, ballot = 0;
    int operation = 0;
    (void)mask;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (requests[lane]) {
            here |= (uint32_t)1 << lane;
            ballot |= (uint32_t)(requests[lane]->value != 0) << lane;
            operation = requests[lane]->operation;
        }
    }
    uint32_t result = ballot;
    switch ((enum simt_vote)(operation - WARP_VOTE)) {
    case SIMT_VOTE_ALL:
        result = ballot == here;
        break;
    case SIMT_VOTE_ANY:
        result = ballot != 0;
        break;
    case SIMT_VOTE_UNIFORM:
        result = ballot == here || ballot == 0;
        break;
    case SIMT_VOTE_BALLOT:
        break;
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (requests[lane])
            requests[lane]->result = result;
    }
}

uint32_t simt_warp_vote(uint32_t mask, int predicate, enum simt_vote kind)
{
    struct asked asked = {{.operation = WARP_VOTE + (int)kind, .mask = mask, .value = predicate != 0}, SITE};
    meet(&asked, finish_vote);
    return (uint32_t)asked.request.result;
}

/* ---- matches -------------------------------------------------------------------------------------------------- */

static void finish_match_any(struct warp_request *requests[WARP_SIZE], uint32_t mask)
{
    (void)mask;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (!requests[lane])
            continue;
        requests[lane]->result = 0;
        for (unsigned other = 0; other < WARP_SIZE; other++) {
            if (requests[other] && requests[other]->value == requests[lane]->value)
                requests[lane]->result |= (uint32_t)1 << other;
        }
    }
}

static void finish_match_all(struct warp_request *requests[WARP_SIZE], uint32_t mask)
{
    finish_match_any(requests, mask);
    uint32_t here = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        here |= (uint32_t)(requests[lane] != NULL) << lane;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (requests[lane] && requests[lane]->result != here)
            requests[lane]->result = 0;
    }
}

uint32_t simt_warp_match_any(uint32_t mask, uint64_t value)
{
    struct asked asked = {{.operation = WARP_MATCH_ANY, .mask = mask, .value = value}, SITE};
    meet(&asked, finish_match_any);
    return (uint32_t)asked.request.result;
}

uint32_t simt_warp_match_all(uint32_t mask, uint64_t value)
{
    struct asked asked = {{.operation = WARP_MATCH_ALL, .mask = mask, .value = value}, SITE};
    meet(&asked, finish_match_all);
    return (uint32_t)asked.request.result;
}

/* ---- reductions ------------------------------------------------------------------------------------------------- */

static uint32_t reduce(uint32_t left, uint32_t right, enum simt_reduce kind)
{
    switch (kind) {
    case SIMT_REDUCE_ADD:
        return left + right;
    case SIMT_REDUCE_AND:
        return left & right;
    case SIMT_REDUCE_OR:
        return left | right;
    case SIMT_REDUCE_XOR:
        return left ^ right;
    case SIMT_REDUCE_MIN:
        return left < right ? left : right;
    case SIMT_REDUCE_MAX:
        return left > right ? left : right;
    case SIMT_REDUCE_MIN_SIGNED:
        return (int32_t)left < (int32_t)right ? left : right;
    case SIMT_REDUCE_MAX_SIGNED:
        break;
    }
    return (int32_t)left > (int32_t)right ? left : right;
}

static void finish_reduce(struct warp_request *requests[WARP_SIZE], uint32_t mask)
{
    bool first = true;
    uint32_t result = 0;
    (void)mask;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (!requests[lane])
            continue;
        uint32_t value = (uint32_t)requests[lane]->value;
        result = first ? value
                       : reduce(result, value, (enum simt_reduce)(requests[lane]->operation - WARP_REDUCE));
        first = false;
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (requests[lane])
            requests[lane]->result = result;
    }
}

uint32_t simt_warp_reduce(uint32_t mask, uint32_t value, enum simt_reduce kind)
{
    struct asked asked = {{.operation = WARP_REDUCE + (int)kind, .mask = mask, .value = value}, SITE};
    meet(&asked, finish_reduce);
    return (uint32_t)asked.request.result;
}

/* ---- lanes that are together
 * ---------------------------------------------------------------------------------------
 * Fibers take turns, so no two lanes are ever in the same instruction. In CUDA programs the active lanes are those
 * that took the same branch. So a lane waits here until every other lane of its warp has arrived at the same call,
 * waits elsewhere or has returned. It waits only a few turns for lanes that spin. CUDA guarantees none of this, so
 * in random order a lane sometimes does not wait. */

enum { PATIENCE = 8 }; /* turns */

struct gathering {
    struct gathering *next;
    uint64_t launch, block; /* numbers of the launch and the block */
    unsigned warp;
    const void *site;
    uint32_t arrived;
    uint32_t left;
    bool closed;
};
static struct gathering *gatherings;
static uint64_t gatherings_made; /* number of lanes that have arrived at one in this launch */

/* Also removes gatherings of launches that ended in a fault. */
static struct gathering *gathering_at(const struct thread *self, const void *site)
{
    static uint64_t launch;
    if (launch != current_launch->number) {
        launch = current_launch->number;
        gatherings_made = 0;
    }
    struct gathering **at = &gatherings;
    while (*at) {
        struct gathering *gathering = *at;
        if (gathering->launch != current_launch->number) {
            *at = gathering->next;
            free(gathering);
            continue;
        }
        if (!gathering->closed && gathering->block == self->block->number &&
            gathering->warp == self->number / WARP_SIZE && gathering->site == site)
            return gathering;
        at = &gathering->next;
    }
    struct gathering *added = calloc(1, sizeof *added);
    if (!added)
        abort();
    added->launch = current_launch->number;
    added->block = self->block->number;
    added->warp = self->number / WARP_SIZE;
    added->site = site;
    *at = added;
    return added;
}

static void gathering_remove(struct gathering *gathering)
{
    struct gathering **at = &gatherings;
    while (*at != gathering)
        at = &(*at)->next;
    *at = gathering->next;
    free(gathering);
}

/* Can another lane still arrive here without help? A lane that gathers elsewhere cannot. */
static bool others_may_come(const struct thread *self)
{
    const struct thread *first = self - thread_lane(self);
    uint32_t gathered = 0, unfinished = warp_unfinished();
    for (const struct gathering *at = gatherings; at; at = at->next) {
        if (!at->closed && at->block == self->block->number && at->warp == self->number / WARP_SIZE)
            gathered |= at->arrived;
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t bit = (uint32_t)1 << lane;
        if ((unfinished & bit) && !(gathered & bit) && first[lane].state == THREAD_READY)
            return true;
    }
    return false;
}

uint32_t simt_warp_active(void)
{
    device_only("__activemask()", SITE);
    simt_note_used(SIMT_USED_ACTIVE);
    struct thread *self = current_thread;
    const uint32_t bit = (uint32_t)1 << thread_lane(self);
    struct gathering *gathering = gathering_at(self, SITE);
    gathering->arrived |= bit;
    const int patience = order_interrupts(gatherings_made++) ? 0 : PATIENCE;
    for (int turns = 0; !gathering->closed && turns < patience && others_may_come(self); turns++)
        schedule_yield(SITE);
    gathering->closed = true;
    schedule_progress++;
    uint32_t active = gathering->arrived;
    self->warp_active = active;
    gathering->left |= bit;
    if (gathering->left == gathering->arrived)
        gathering_remove(gathering);
    return active;
}
