/* cooperative_groups/reduce.h: reduces a group's values with an operator. C++. As in CUDA, a thread's own value is
 * always the left operand, wherever the other value comes from, so the operator must be associative and
 * commutative. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIMT_OPERATOR(name, expression)                                                                      \
    template <class T> struct name {                                                                         \
        __attribute__((always_inline)) T operator()(T left, T right) const                                   \
        {                                                                                                    \
            return expression;                                                                               \
        }                                                                                                    \
    };
SIMT_OPERATOR(plus, left + right)
SIMT_OPERATOR(less, right < left ? right : left)
SIMT_OPERATOR(greater, left < right ? right : left)
SIMT_OPERATOR(bit_and, left &right)
SIMT_OPERATOR(bit_or, left | right)
SIMT_OPERATOR(bit_xor, left ^ right)
#undef SIMT_OPERATOR

/* Every thread of the group calls it and gets the result. In a tile, threads exchange values at halving distances. */
template <unsigned Size, class P, class T, class Op>
__attribute__((always_inline)) static inline T reduce(const thread_block_tile<Size, P> &tile, T value,
                                                      Op operation)
{
    for (unsigned distance = Size / 2; distance > 0; distance /= 2)
        value = operation(value, tile.shfl_xor(value, distance));
    return value;
}

/* In a group of any size, the last thread's scan is the result; `reach` is the number of ranks that a value covers. */
template <class T, class Op>
__attribute__((always_inline)) static inline T reduce(const simt_warp_group &group, T value, Op operation)
{
    const unsigned size = group.num_threads(), rank = (unsigned)group.thread_rank();
    if (size == 32)
        return reduce(thread_block_tile<32>(32), value, operation);
    for (unsigned reach = 1; reach < size; reach *= 2) {
        T left = group.shfl_up(value, reach);
        if (rank >= reach)
            value = operation(value, left);
    }
    return group.shfl(value, (int)size - 1);
}

} // namespace cooperative_groups

#endif
