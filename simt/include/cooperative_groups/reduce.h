/* cooperative_groups/reduce.h: reduces a group's values with an operator. C++. As in CUDA, a thread's own value is
 * always the left operand, wherever the other value comes from, so the operator must be associative and
 * commutative. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SIMT_OPERATOR(name, expression)                                                                      \
    template <class __T> struct name {                                                                       \
        __attribute__((__always_inline__)) __T operator()(__T left, __T right) const                         \
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
template <unsigned Size, class __P, class __T, class __Op>
__attribute__((__always_inline__)) static inline __T reduce(const thread_block_tile<Size, __P> &tile,
                                                            __T value, __Op __operation)
{
    if constexpr (Size > 32) {
        return tile.__combined(reduce(thread_block_tile<32>(32), value, __operation), __operation);
    } else {
        for (unsigned distance = Size / 2; distance > 0; distance /= 2)
            value = __operation(value, tile.shfl_xor(value, distance));
        return value;
    }
}

/* In a group of any size, the last thread's scan is the result; `reach` is the number of ranks that a value covers. */
template <class __T, class __Op>
__attribute__((__always_inline__)) static inline __T reduce(const simt_warp_group &group, __T value,
                                                            __Op __operation)
{
    const unsigned size = group.num_threads(), rank = (unsigned)group.thread_rank();
    if (size == 32)
        return reduce(thread_block_tile<32>(32), value, __operation);
    for (unsigned __reach = 1; __reach < size; __reach *= 2) {
        __T left = group.shfl_up(value, __reach);
        if (rank >= __reach)
            value = __operation(value, left);
    }
    return group.shfl(value, (int)size - 1);
}

} // namespace cooperative_groups

#endif
