/* warp.h: warp operations: lanes that meet. Internal. */
#ifndef SIMT_CORE_WARP_H
#define SIMT_CORE_WARP_H

#include "core/thread.h"

/* One lane's part in a warp operation. The last lane of the mask to arrive calls `finish` once for all. */
struct warp_request {
    int operation;  /* lanes meet only with equal numbers */
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
