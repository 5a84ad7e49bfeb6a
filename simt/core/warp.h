/* warp.h: the operations of a warp, and how its lanes meet for one. Internal. */
#ifndef SIMT_CORE_WARP_H
#define SIMT_CORE_WARP_H

#include "core/thread.h"

/* The operations; lanes meet only in the same one. Of all of them only WARP_SYNC orders memory. */
enum warp_operation {
    WARP_SYNC,
    WARP_SHUFFLE,                 /* and the kinds of enum simt_shuffle */
    WARP_VOTE = WARP_SHUFFLE + 4, /* and of enum simt_vote */
    WARP_MATCH_ANY = WARP_VOTE + 4,
    WARP_MATCH_ALL,
    WARP_REDUCE, /* and of enum simt_reduce */
    WARP_OPERATIONS = WARP_REDUCE + 8
};

/* "__shfl_up_sync". Never null. */
const char *warp_operation_name(int operation);

/* One lane's part in a warp operation. The last lane of the mask to arrive calls `finish` once for all. */
struct warp_request {
    int operation;  /* enum warp_operation */
    uint32_t mask;  /* lanes named */
    uint64_t value; /* operand, zero-extended */
    int argument;   /* source lane, delta or such */
    int width;      /* of a shuffle's segment */
    uint64_t result;
    int predicate; /* second result of match_all and such */
};

/* requests[lane] is null for lanes outside the mask and for lanes that have returned. */
typedef void warp_finish(struct warp_request *requests[WARP_SIZE], uint32_t mask);

/* Waits until every unfinished lane of request->mask has come with the same operation and mask. */
void warp_meet(struct warp_request *request, warp_finish *finish, const void *site);

/* Called when a thread returns: lanes that wait for no one else go on. */
void warp_lane_exits(struct thread *thread);

/* Lanes of the current warp whose threads have not returned. */
uint32_t warp_unfinished(void);

#endif
