/* simt_warp_group.h: a set of lanes of one warp and their common operations. C++, internal to cooperative_groups.h,
 * which builds tiles and coalesced groups from it. Ranks count the set's lanes from 0. */
#ifndef SIMT_WARP_GROUP_H
#define SIMT_WARP_GROUP_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

#define SIMT_MEMBER __attribute__((always_inline))

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

    SIMT_MEMBER unsigned lane_mask() const
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

    template <class T> SIMT_MEMBER T shfl(T value, int from) const
    {
        return take(value, lane_of((unsigned)from % num_threads()));
    }
    template <class T> SIMT_MEMBER T shfl_up(T value, unsigned by) const
    {
        return take(value, lane_of(rank() >= by ? rank() - by : rank()));
    }
    template <class T> SIMT_MEMBER T shfl_down(T value, unsigned by) const
    {
        return take(value, lane_of(rank() + by < num_threads() ? rank() + by : rank()));
    }
    template <class T> SIMT_MEMBER T shfl_xor(T value, unsigned with) const
    {
        return take(value, lane_of((rank() ^ with) < num_threads() ? rank() ^ with : rank()));
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
        return ranks_of(simt_warp_vote(mask, predicate, SIMT_VOTE_BALLOT));
    }
    template <class T> SIMT_MEMBER unsigned match_any(T value) const
    {
        return ranks_of(simt_warp_match_any(mask, simt_pack(value)));
    }
    template <class T> SIMT_MEMBER unsigned match_all(T value, int &all) const
    {
        unsigned lanes = simt_warp_match_all(mask, simt_pack(value));
        all = lanes != 0;
        return ranks_of(lanes);
    }

    /* Returns the `count` lanes whose ranks begin with `first`. */
    unsigned lanes_of_ranks(unsigned first, unsigned count) const
    {
        unsigned lanes = 0;
        for (unsigned lane = 0, at = 0; lane < 32; lane++) {
            if (mask >> lane & 1) {
                lanes |= (unsigned)(at >= first && at - first < count) << lane;
                at++;
            }
        }
        return lanes;
    }

  private:
    SIMT_MEMBER unsigned rank() const
    {
        return (unsigned)__popc(mask & ((1u << simt_thread_number() % 32) - 1));
    }

    /* Returns the lane of a rank. In a run of consecutive lanes, such as a tile, it is the first lane plus the rank. */
    SIMT_MEMBER unsigned lane_of(unsigned rank) const
    {
        unsigned first = (unsigned)__ffs((int)mask) - 1, run = mask >> first;
        return (run & (run + 1)) == 0 ? first + rank : __fns(mask, 0, (int)rank + 1);
    }
    SIMT_MEMBER unsigned ranks_of(unsigned lanes) const
    {
        unsigned first = (unsigned)__ffs((int)mask) - 1, run = mask >> first, ranks = 0;
        if ((run & (run + 1)) == 0)
            return lanes >> first;
        for (unsigned left = mask, rank = 0; left; left &= left - 1, rank++)
            ranks |= (lanes >> ((unsigned)__ffs((int)left) - 1) & 1) << rank;
        return ranks;
    }
    template <class T> SIMT_MEMBER T take(T value, unsigned lane) const
    {
        static_assert(__is_trivially_copyable(T), "only plain types can be shuffled");
        static_assert(sizeof(T) <= 32, "at most 32 bytes can be shuffled");
        if constexpr (sizeof(T) <= 8) {
            return simt_unpack<T>(
                simt_warp_shuffle(mask, simt_pack(value), SIMT_SHUFFLE_INDEX, (int)lane, 32));
        } else {
            using word = std::conditional_t<sizeof(T) % 8 == 0, uint64_t,
                                            std::conditional_t<sizeof(T) % 4 == 0, uint32_t, unsigned char>>;
            struct words {
                word part[sizeof(T) / sizeof(word)];
            };
            words parts = simt_bits_as<words>(value);
            for (word &part : parts.part)
                part = (word)simt_warp_shuffle(mask, part, SIMT_SHUFFLE_INDEX, (int)lane, 32);
            value = simt_bits_as<T>(parts);
            return value;
        }
    }

    unsigned mask; /* the group's lanes */
};

#undef SIMT_MEMBER

} // namespace cooperative_groups

#endif
