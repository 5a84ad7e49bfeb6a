#include "core/warp_operations.h"
#include "include/simt_device_api.h"

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
