/* simt_wide_tile.h: tiles of 64 to 1024 threads, whose warps meet through shared memory. C++, internal to
 * cooperative_groups.h. */
#ifndef SIMT_WIDE_TILE_H
#define SIMT_WIDE_TILE_H

#include "simt_warp_group.h"

namespace cooperative_groups
{

#define SIMT_MEMBER __attribute__((__always_inline__))

/* What the warps of a tile share. Tiles of all sizes have numbers of their own, as the nodes of a tree: the one with 1024
 * threads is 1, those with 512 are 2 and 3. */
struct simt_tile_meeting {
    unsigned arrived[32], meetings[32];         /* of each tile: warps that wait; how often all of them met */
    alignas(16) unsigned char __values[32][32]; /* of each warp */
};
template <class __T = void> SIMT_MEMBER static inline simt_tile_meeting &simt_meeting()
{
    static thread_local simt_tile_meeting __meeting;
    return __meeting;
}

/* All threads of the block split it together. */
SIMT_MEMBER static inline void simt_prepare_meetings()
{
    simt_barrier();
    if (simt_thread_number() < 32)
        simt_meeting<>().arrived[simt_thread_number()] = simt_meeting<>().meetings[simt_thread_number()] = 0;
    simt_barrier();
}

template <unsigned Size, class Parent, bool Wide> class thread_block_tile;

template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true>
{
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");

  public:
    SIMT_MEMBER explicit thread_block_tile(unsigned __parent_threads) : __parent_threads(__parent_threads)
    {
    }
    template <class __P>
    SIMT_MEMBER thread_block_tile(const thread_block_tile<Size, __P, true> &tile)
        : __parent_threads(tile.meta_group_size() * Size)
    {
    }
    SIMT_MEMBER static constexpr unsigned num_threads()
    {
        return Size;
    }
    SIMT_MEMBER static constexpr unsigned size()
    {
        return Size;
    }
    SIMT_MEMBER static unsigned thread_rank()
    {
        return simt_thread_number() % Size;
    }
    SIMT_MEMBER unsigned meta_group_rank() const
    {
        return simt_thread_number() % __parent_threads / Size;
    }
    SIMT_MEMBER unsigned meta_group_size() const
    {
        return (__parent_threads + Size - 1) / Size;
    }

    /* The first lane of each warp waits for those of the others. */
    SIMT_MEMBER static void sync()
    {
        const unsigned __tile = 1024 / Size + simt_thread_number() / Size;
        simt_warp_sync(~0u);
        if (simt_thread_number() % 32 == 0) {
            unsigned *__meetings = &simt_meeting<>().meetings[__tile];
            const unsigned before = atomicAdd(__meetings, 0u);
            __threadfence_block();
            if (atomicAdd(&simt_meeting<>().arrived[__tile], 1u) == Size / 32 - 1) {
                atomicExch(&simt_meeting<>().arrived[__tile], 0u);
                __threadfence_block();
                atomicAdd(__meetings, 1u);
            } else {
                while (atomicAdd(__meetings, 0u) == before)
                    simt_nanosleep(20);
            }
            __threadfence_block();
        }
        simt_warp_sync(~0u);
    }

    template <class __T> SIMT_MEMBER __T shfl(__T value, int from) const
    {
        const unsigned __source = (unsigned)from % Size;
        if (thread_rank() == __source)
            *__value_of<__T>(0) = value;
        sync();
        const __T result = *__value_of<__T>(0);
        sync();
        return result;
    }
    SIMT_MEMBER int any(int predicate) const
    {
        return __combined(simt_warp_vote(~0u, predicate, SIMT_VOTE_ANY),
                          [](int __a, int __b) { return __a | __b; });
    }
    SIMT_MEMBER int all(int predicate) const
    {
        return __combined(simt_warp_vote(~0u, predicate, SIMT_VOTE_ALL),
                          [](int __a, int __b) { return __a & __b; });
    }

    /* Combines a value of each warp. `value` is that of the thread's warp. */
    template <class __T, class __Op> SIMT_MEMBER __T __combined(__T value, __Op __operation) const
    {
        if (simt_thread_number() % 32 == 0)
            *__value_of<__T>(thread_rank() / 32) = value;
        sync();
        __T result = *__value_of<__T>(0);
        for (unsigned warp = 1; warp < Size / 32; warp++)
            result = __operation(result, *__value_of<__T>(warp));
        sync();
        return result;
    }

  private:
    /* The place for the value of one of the tile's warps. */
    template <class __T> SIMT_MEMBER static __T *__value_of(unsigned warp)
    {
        static_assert(__is_trivially_copyable(__T) && sizeof(__T) <= 32,
                      "plain types of at most 32 bytes are exchanged");
        return (__T *)simt_meeting<>().__values[simt_thread_number() / Size * (Size / 32) + warp];
    }

    unsigned __parent_threads;
};

#undef SIMT_MEMBER

} // namespace cooperative_groups

#endif
