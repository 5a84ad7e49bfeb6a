/* simt_warp_group.h: a set of lanes of one warp and their common operations. C++, internal to cooperative_groups.h,
 * which builds tiles and coalesced groups from it. Ranks count the set's lanes from 0. */
#ifndef SIMT_WARP_GROUP_H
#define SIMT_WARP_GROUP_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

#define SIMT_MEMBER __attribute__((__always_inline__))

/* The thread's number in its block; its lane is this number modulo 32. */
SIMT_MEMBER static inline unsigned simt_thread_number()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

class simt_warp_group
{
  public:
    SIMT_MEMBER explicit simt_warp_group(unsigned mask) : mask(mask)
    {
    }

    SIMT_MEMBER unsigned __lane_mask() const
    {
        return mask;
    }
    SIMT_MEMBER unsigned num_threads() const
    {
        return (unsigned)__popc(mask);
    }
    SIMT_MEMBER unsigned size() const
    {
        return num_threads();
    }
    SIMT_MEMBER unsigned long long thread_rank() const
    {
        return rank();
    }
    SIMT_MEMBER void sync() const
    {
        simt_warp_sync(mask);
    }

    /* ---- shuffles: any plain type of at most 32 bytes ---- */

    template <class __T> SIMT_MEMBER __T shfl(__T value, int from) const
    {
        return __take(value, __lane_of((unsigned)from % num_threads()));
    }
    template <class __T> SIMT_MEMBER __T shfl_up(__T value, unsigned __by) const
    {
        return __take(value, __lane_of(rank() >= __by ? rank() - __by : rank()));
    }
    template <class __T> SIMT_MEMBER __T shfl_down(__T value, unsigned __by) const
    {
        return __take(value, __lane_of(rank() + __by < num_threads() ? rank() + __by : rank()));
    }
    template <class __T> SIMT_MEMBER __T shfl_xor(__T value, unsigned __with) const
    {
        return __take(value, __lane_of((rank() ^ __with) < num_threads() ? rank() ^ __with : rank()));
    }

    /* ---- votes: bit i of a result belongs to the thread of rank i ---- */

    SIMT_MEMBER int any(int predicate) const
    {
        return (int)simt_warp_vote(mask, predicate, SIMT_VOTE_ANY);
    }
    SIMT_MEMBER int all(int predicate) const
    {
        return (int)simt_warp_vote(mask, predicate, SIMT_VOTE_ALL);
    }
    SIMT_MEMBER unsigned ballot(int predicate) const
    {
        return __ranks_of(simt_warp_vote(mask, predicate, SIMT_VOTE_BALLOT));
    }
    template <class __T> SIMT_MEMBER unsigned match_any(__T value) const
    {
        return __ranks_of(simt_warp_match_any(mask, simt_pack(value)));
    }
    template <class __T> SIMT_MEMBER unsigned match_all(__T value, int &all) const
    {
        unsigned __lanes = simt_warp_match_all(mask, simt_pack(value));
        all = __lanes != 0;
        return __ranks_of(__lanes);
    }

    /* Returns the `count` lanes whose ranks begin with `first`. */
    unsigned __lanes_of_ranks(unsigned first, unsigned count) const
    {
        unsigned __lanes = 0;
        for (unsigned lane = 0, at = 0; lane < 32; lane++) {
            if (mask >> lane & 1) {
                __lanes |= (unsigned)(at >= first && at - first < count) << lane;
                at++;
            }
        }
        return __lanes;
    }

  private:
    SIMT_MEMBER unsigned rank() const
    {
        return (unsigned)__popc(mask & ((1u << simt_thread_number() % 32) - 1));
    }

    /* Returns the lane of a rank. In a run of consecutive lanes, such as a tile, it is the first lane plus the rank. */
    SIMT_MEMBER unsigned __lane_of(unsigned rank) const
    {
        unsigned first = (unsigned)__ffs((int)mask) - 1, __run = mask >> first;
        return (__run & (__run + 1)) == 0 ? first + rank : __fns(mask, 0, (int)rank + 1);
    }
    SIMT_MEMBER unsigned __ranks_of(unsigned __lanes) const
    {
        unsigned first = (unsigned)__ffs((int)mask) - 1, __run = mask >> first, __ranks = 0;
        if ((__run & (__run + 1)) == 0)
            return __lanes >> first;
        for (unsigned left = mask, rank = 0; left; left &= left - 1, rank++)
            __ranks |= (__lanes >> ((unsigned)__ffs((int)left) - 1) & 1) << rank;
        return __ranks;
    }
    template <class __T> SIMT_MEMBER __T __take(__T value, unsigned lane) const
    {
        static_assert(__is_trivially_copyable(__T), "only plain types can be shuffled");
        static_assert(sizeof(__T) <= 32, "at most 32 bytes can be shuffled");
        if constexpr (sizeof(__T) <= 8) {
            return simt_unpack<__T>(
                simt_warp_shuffle(mask, simt_pack(value), SIMT_SHUFFLE_INDEX, (int)lane, 32));
        } else {
            using __word =
                std::conditional_t<sizeof(__T) % 8 == 0, uint64_t,
                                   std::conditional_t<sizeof(__T) % 4 == 0, uint32_t, unsigned char>>;
            struct __words {
                __word __part[sizeof(__T) / sizeof(__word)];
            };
            __words __parts = simt_bits_as<__words>(value);
            for (__word &__part : __parts.__part)
                __part = (__word)simt_warp_shuffle(mask, __part, SIMT_SHUFFLE_INDEX, (int)lane, 32);
            value = simt_bits_as<__T>(__parts);
            return value;
        }
    }

    unsigned mask; /* the group's lanes */
};

#undef SIMT_MEMBER

} // namespace cooperative_groups

#endif
