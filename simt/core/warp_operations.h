/* warp_operations.h: the numbers by which warp operations meet, and their names. Internal.
 *
 * Lanes meet only in the same operation. Of all of them only WARP_SYNC orders memory. */
#ifndef SIMT_WARP_OPERATIONS_H
#define SIMT_WARP_OPERATIONS_H

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

#endif
