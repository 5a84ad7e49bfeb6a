/* warp.h: the operations of a warp, and how its lanes meet for them. Internal. */
#ifndef SIMT_CORE_WARP_H
#define SIMT_CORE_WARP_H

#include "core/thread.h"

/* The operations. Lanes meet only in the same operation. Only WARP_SYNC orders memory. */
enum warp_operation {
    WARP_SYNC,
    WARP_SHUFFLE,                 /* plus the kinds of enum simt_shuffle */
    WARP_VOTE = WARP_SHUFFLE + 4, /* plus those of enum simt_vote */
    WARP_MATCH_ANY = WARP_VOTE + 4,
    WARP_MATCH_ALL,
    WARP_REDUCE, /* plus those of enum simt_reduce */
    WARP_OPERATIONS = WARP_REDUCE + 8
};

/* The name of an operation, such as "__shfl_up_sync". Never null. */
const char *warp_operation_name(int operation);

/* The request of one lane in a warp operation. The last lane of the mask to arrive calls `finish` once for all. */
struct warp_request {
    int operation;  /* enum warp_operation */
    uint32_t mask;  /* the lanes that take part */
    uint64_t value; /* operand, zero-extended */
    int argument;   /* source lane, delta or similar */
    int width;      /* width of a shuffle's segment */
    uint64_t result;
    int predicate; /* second result, of match_all for example */
};

/* requests[lane] is null for lanes outside the mask and for lanes that have returned. */
typedef void warp_finish(struct warp_request *requests[WARP_SIZE], uint32_t mask);

/* Waits until every unfinished lane of request->mask has arrived with the same operation and mask. */
void warp_meet(struct warp_request *request, warp_finish *finish, const void *site);

/* Called when a thread returns. Lanes that wait for no other lane continue. */
void warp_lane_exits(struct thread *thread);

/* The lanes of the current warp whose threads have not returned. */
uint32_t warp_unfinished(void);

#endif
