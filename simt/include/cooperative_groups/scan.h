/* cooperative_groups/scan.h: inclusive and exclusive scans of a group's values. C++. As in CUDA, a thread's own
 * value is the left operand and the values before it are the right one, so the operator must commute. */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

/* In each round, a thread's value combines those of `reach` ranks, up to and including its own. */
template <class __T, class __Op>
__attribute__((__always_inline__)) static inline __T inclusive_scan(const simt_warp_group &group, __T value,
                                                                    __Op __operation)
{
    const unsigned size = group.num_threads(), rank = (unsigned)group.thread_rank();
    for (unsigned __reach = 1; __reach < size; __reach *= 2) {
        __T left = group.shfl_up(value, __reach);
        if (rank >= __reach)
            value = __operation(value, left);
    }
    return value;
}
template <class __T>
__attribute__((__always_inline__)) static inline __T inclusive_scan(const simt_warp_group &group, __T value)
{
    return inclusive_scan(group, value, plus<__T>());
}

/* The first thread has no value before it, so it gets T(). */
template <class __T, class __Op>
__attribute__((__always_inline__)) static inline __T exclusive_scan(const simt_warp_group &group, __T value,
                                                                    __Op __operation)
{
    __T before = group.shfl_up(inclusive_scan(group, value, __operation), 1);
    return group.thread_rank() == 0 ? __T() : before;
}
template <class __T>
__attribute__((__always_inline__)) static inline __T exclusive_scan(const simt_warp_group &group, __T value)
{
    return exclusive_scan(group, value, plus<__T>());
}

} // namespace cooperative_groups

#endif
