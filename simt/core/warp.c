/* Warp operations: the lanes named in a mask meet; the last to arrive computes for all. */
#include "core/warp.h"
#include "core/explore.h"
#include "core/fault.h"
#include "core/judge.h"
#include "core/observer.h"
#include "core/schedule.h"
#include "include/simt_device_api.h"

#include <string.h>

static const char *const names[WARP_OPERATIONS] = {
    [WARP_SYNC] = "__syncwarp",
    [WARP_SHUFFLE + SIMT_SHUFFLE_INDEX] = "__shfl_sync",
    [WARP_SHUFFLE + SIMT_SHUFFLE_UP] = "__shfl_up_sync",
    [WARP_SHUFFLE + SIMT_SHUFFLE_DOWN] = "__shfl_down_sync",
    [WARP_SHUFFLE + SIMT_SHUFFLE_XOR] = "__shfl_xor_sync",
    [WARP_VOTE + SIMT_VOTE_ALL] = "__all_sync",
    [WARP_VOTE + SIMT_VOTE_ANY] = "__any_sync",
    [WARP_VOTE + SIMT_VOTE_BALLOT] = "__ballot_sync",
    [WARP_VOTE + SIMT_VOTE_UNIFORM] = "__uni_sync",
    [WARP_MATCH_ANY] = "__match_any_sync",
    [WARP_MATCH_ALL] = "__match_all_sync",
    [WARP_REDUCE + SIMT_REDUCE_ADD] = "__reduce_add_sync",
    [WARP_REDUCE + SIMT_REDUCE_AND] = "__reduce_and_sync",
    [WARP_REDUCE + SIMT_REDUCE_OR] = "__reduce_or_sync",
    [WARP_REDUCE + SIMT_REDUCE_XOR] = "__reduce_xor_sync",
    [WARP_REDUCE + SIMT_REDUCE_MIN] = "__reduce_min_sync",
    [WARP_REDUCE + SIMT_REDUCE_MAX] = "__reduce_max_sync",
    [WARP_REDUCE + SIMT_REDUCE_MIN_SIGNED] = "__reduce_min_sync",
    [WARP_REDUCE + SIMT_REDUCE_MAX_SIGNED] = "__reduce_max_sync",
};

const char *warp_operation_name(int operation)
{
    return operation >= 0 && operation < WARP_OPERATIONS ? names[operation] : "a warp operation";
}

static struct thread *warp_begin(const struct thread *thread)
{
    return thread->block->threads + (thread->number - thread_lane(thread));
}

static unsigned warp_width(const struct thread *first)
{
    unsigned left = current_launch->block_threads - first->number;
    return left < WARP_SIZE ? left : WARP_SIZE;
}

/* The lanes whose threads have not returned. */
static uint32_t unfinished(struct thread *first)
{
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < warp_width(first); lane++)
        lanes |= (uint32_t)(first[lane].state != THREAD_EXITED) << lane;
    return lanes;
}

uint32_t warp_unfinished(void)
{
    return unfinished(warp_begin(current_thread));
}

/* Has this thread arrived at the requested operation, or returned? */
static bool has_come(const struct thread *thread, const struct warp_request *asked)
{
    const struct warp_request *request = thread->request;
    return request ? request->mask == asked->mask && request->operation == asked->operation
                   : thread->state == THREAD_EXITED;
}

/* Have all lanes of the mask? Lanes mostly arrive in ascending or descending order, so the first and the last lanes
 * are tested first. */
static bool have_come(const struct thread *first, const struct warp_request *asked)
{
    if (!has_come(&first[__builtin_ctz(asked->mask)], asked))
        return false;
    for (unsigned lane = warp_width(first); lane-- > 0;)
        if (asked->mask >> lane & 1 && !has_come(&first[lane], asked))
            return false;
    return true;
}

/* Releases the lanes of the mask if all that can arrive have arrived. */
static void meet_if_complete(struct thread *first, const struct warp_request *asked, warp_finish *finish)
{
    const uint32_t mask = asked->mask;
    const int operation = asked->operation;
    struct warp_request *requests[WARP_SIZE];
    uint32_t arrived = 0;

    if (!have_come(first, asked))
        return;
    memset(requests, 0, sizeof requests);
    for (unsigned lane = 0; lane < warp_width(first); lane++) {
        requests[lane] = mask >> lane & 1 ? first[lane].request : NULL;
        arrived |= (uint32_t)(requests[lane] != NULL) << lane;
    }
    observe_warp(first, mask, arrived, operation);
    if (explore_watches)
        explore_meet_warp(first, arrived);
    if (finish)
        finish(requests, mask);
    schedule_progress++;
    for (unsigned lane = 0; lane < warp_width(first); lane++) {
        if (arrived >> lane & 1) {
            first[lane].request = NULL;
            if (first[lane].state == THREAD_AT_WARP) {
                first[lane].block->at_warp--;
                schedule_wake(&first[lane]);
            }
        }
    }
}

/* The finish function of each operation in which some lane waits. It is needed when the return of a lane completes
 * an operation. */
static warp_finish *finish_of[256];

void warp_meet(struct warp_request *request, warp_finish *finish, const void *site)
{
    struct thread *self = current_thread;
    struct thread *first = warp_begin(self);
    finish_of[request->operation & 255] = finish;
    if (explore_watches)
        explore_pass();
    if ((request->mask >> thread_lane(self) & 1) == 0) {
        judge->foreign_mask(self, request->mask, site);
        fault_raise(ERROR_LAUNCH_FAILURE);
    }
    self->request = request;
    self->warp_site = site;
    self->warp_mask = request->mask;
    self->wait_site = site;
    meet_if_complete(first, request, finish);
    if (self->request) {
        self->block->at_warp++;
        schedule_wait(THREAD_AT_WARP, site);
    }
}

void warp_lane_exits(struct thread *thread)
{
    struct thread *first = warp_begin(thread);
    judge->lane_returns(thread);
    for (unsigned lane = 0; lane < warp_width(first); lane++) {
        struct warp_request *request = first[lane].request;
        if (first[lane].state == THREAD_AT_WARP && request && request->mask >> thread_lane(thread) & 1)
            meet_if_complete(first, request, finish_of[request->operation & 255]);
    }
}
