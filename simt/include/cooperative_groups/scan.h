/* cooperative_groups/scan.h: inclusive and exclusive scans of a group's values. C++. As in CUDA, a thread's own
 * value is the left operand and the values before it are the right one, so the operator must commute. */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

/* In each round, a thread's value combines those of `reach` ranks, up to and including its own. */
template <class T, class Op>
__attribute__((always_inline)) static inline T inclusive_scan(const simt_warp_group &group, T value,
                                                              Op operation)
{
    const unsigned size = group.num_threads(), rank = (unsigned)group.thread_rank();
    for (unsigned reach = 1; reach < size; reach *= 2) {
        T left = group.shfl_up(value, reach);
        if (rank >= reach)
            value = operation(value, left);
    }
    return value;
}
template <class T>
__attribute__((always_inline)) static inline T inclusive_scan(const simt_warp_group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

/* The first thread has no value before it, so it gets T(). */
template <class T, class Op>
__attribute__((always_inline)) static inline T exclusive_scan(const simt_warp_group &group, T value,
                                                              Op operation)
{
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class T>
__attribute__((always_inline)) static inline T exclusive_scan(const simt_warp_group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
