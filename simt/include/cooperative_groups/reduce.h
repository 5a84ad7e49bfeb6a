/* cooperative_groups/reduce.h: the sum of a group's values under any associative operator. C++.
 * Operands stay in the order of the ranks, so the operator need not commute. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIMT_OPERATOR(name, expression)                                                                      \
    template <class T> struct name {                                                                         \
        __attribute__((always_inline)) T operator()(T left, T right) const { return expression; }            \
    };
SIMT_OPERATOR(plus, left + right)
SIMT_OPERATOR(less, right < left ? right : left)
SIMT_OPERATOR(greater, left < right ? right : left)
SIMT_OPERATOR(bit_and, left &right)
SIMT_OPERATOR(bit_or, left | right)
SIMT_OPERATOR(bit_xor, left ^ right)
#undef SIMT_OPERATOR

/* Every thread of the group calls it, and gets the sum. A thread's value covers `reach` ranks from its own. */
template <class T, class Op>
__attribute__((always_inline)) static inline T reduce(const simt_warp_group &group, T value, Op operation)
{
    const unsigned size = group.num_threads(), rank = (unsigned)group.thread_rank();
    for (unsigned reach = 1; reach < size; reach *= 2) {
        T right = group.shfl_down(value, reach);
        if (rank + reach < size)
            value = operation(value, right);
    }
    return group.shfl(value, 0);
}

} // namespace cooperative_groups

#endif
