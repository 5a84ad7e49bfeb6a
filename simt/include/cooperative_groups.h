/* cooperative_groups.h: groups of threads as objects, in C++: the block, the grid, tiles of a warp, and the lanes
 * that took the same branch. They replace CUDA's classes of the same names; clusters and asynchronous copies are
 * missing.
 *
 * Every member is always inlined, so that a finding names the student's line. */
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifndef __SIMT__
#error "cooperative_groups.h is for CUDA source files"
#endif

#include "simt_warp_group.h"
#include "simt_wide_tile.h"

namespace cooperative_groups
{

#define SIMT_MEMBER __attribute__((__always_inline__))

/* ---- the block ---------------------------------------------------------------------------------------------- */

class thread_block
{
  public:
    SIMT_MEMBER static void sync()
    {
        simt_barrier();
    }
    SIMT_MEMBER static unsigned thread_rank()
    {
        return simt_thread_number();
    }
    SIMT_MEMBER static unsigned num_threads()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    SIMT_MEMBER static unsigned size()
    {
        return num_threads();
    }
    SIMT_MEMBER static dim3 group_index()
    {
        return dim3(blockIdx);
    }
    SIMT_MEMBER static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    SIMT_MEMBER static dim3 dim_threads()
    {
        return blockDim;
    }
    SIMT_MEMBER static dim3 group_dim()
    {
        return blockDim;
    }

    /* All wait in barrier_wait, which comes after the arrival. */
    struct arrival_token {
    };
    SIMT_MEMBER static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    SIMT_MEMBER static void barrier_wait(arrival_token = arrival_token())
    {
        sync();
    }
};

SIMT_MEMBER static inline thread_block this_thread_block()
{
    return thread_block();
}

/* Memory with which a block makes tiles of more than 32 threads. Smaller tiles need none. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    unsigned char reserved[MaxBlockSize / 4];
};
template <unsigned MaxBlockSize>
SIMT_MEMBER static inline thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return thread_block();
}

/* ---- the grid of a cooperative launch ------------------------------------------------------------------------- */

class grid_group
{
  public:
    SIMT_MEMBER static bool is_valid()
    {
        return simt_grid_is_cooperative();
    }
    SIMT_MEMBER static void sync()
    {
        simt_grid_barrier();
    }
    SIMT_MEMBER static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    SIMT_MEMBER static unsigned long long num_threads()
    {
        return num_blocks() * thread_block::num_threads();
    }
    SIMT_MEMBER static unsigned long long size()
    {
        return num_threads();
    }
    SIMT_MEMBER static unsigned long long block_rank()
    {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    SIMT_MEMBER static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    SIMT_MEMBER static dim3 block_index()
    {
        return dim3(blockIdx);
    }
    SIMT_MEMBER static dim3 dim_blocks()
    {
        return gridDim;
    }
    SIMT_MEMBER static dim3 group_dim()
    {
        return gridDim;
    }
};

SIMT_MEMBER static inline grid_group this_grid()
{
    return grid_group();
}

/* ---- lanes of one warp, at most 32: what tiles and coalesced groups have in common ----------------------------- */

class coalesced_group : public simt_warp_group
{
  public:
    SIMT_MEMBER explicit coalesced_group(unsigned mask, unsigned __meta_rank = 0, unsigned __meta_size = 1)
        : simt_warp_group(mask), __meta_rank(__meta_rank), __meta_size(__meta_size)
    {
    }
    SIMT_MEMBER unsigned meta_group_rank() const
    {
        return __meta_rank;
    }
    SIMT_MEMBER unsigned meta_group_size() const
    {
        return __meta_size;
    }

  private:
    unsigned __meta_rank, __meta_size;
};

/* The lanes that are active together because they took the same branch. */
SIMT_MEMBER static inline coalesced_group coalesced_threads()
{
    return coalesced_group(simt_warp_active());
}

/* ---- tiles: equal parts of a warp whose size is known at compile time -------------------------------------------- */

template <unsigned Size, class Parent = void, bool Wide = (Size > 32)>
class thread_block_tile : public simt_warp_group
{
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");

  public:
    /* parent_threads: the number of threads in the group that is split into tiles. */
    SIMT_MEMBER explicit thread_block_tile(unsigned __parent_threads)
        : simt_warp_group((Size == 32 ? ~0u : (1u << Size % 32) - 1)
                          << (simt_thread_number() % 32 / Size * Size)),
          __parent_threads(__parent_threads)
    {
    }
    template <class __P>
    SIMT_MEMBER thread_block_tile(const thread_block_tile<Size, __P> &tile)
        : simt_warp_group(tile.__lane_mask()), __parent_threads(tile.meta_group_size() * Size)
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
    SIMT_MEMBER unsigned thread_rank() const
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

  private:
    unsigned __parent_threads;
};

/* ---- any group -------------------------------------------------------------------------------------------------- */

/* A group whose kind is only known when the kernel runs, for functions that take any group. */
class thread_group
{
  public:
    SIMT_MEMBER thread_group(const thread_block &) : mask(0)
    {
    }
    SIMT_MEMBER thread_group(const simt_warp_group &__lanes) : mask(__lanes.__lane_mask())
    {
    }
    SIMT_MEMBER void sync() const
    {
        if (mask)
            simt_warp_sync(mask);
        else
            simt_barrier();
    }
    SIMT_MEMBER unsigned num_threads() const
    {
        return mask ? simt_warp_group(mask).num_threads() : thread_block::num_threads();
    }
    SIMT_MEMBER unsigned size() const
    {
        return num_threads();
    }
    SIMT_MEMBER unsigned thread_rank() const
    {
        return mask ? simt_warp_group(mask).thread_rank() : thread_block::thread_rank();
    }

  private:
    friend thread_group tiled_partition(const thread_group &, unsigned);
    unsigned mask; /* 0 for the block */
};

template <class Group> SIMT_MEMBER static inline void sync(const Group &group)
{
    group.sync();
}
template <class Group> SIMT_MEMBER static inline auto thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <class Group> SIMT_MEMBER static inline auto group_size(const Group &group)
{
    return group.size();
}

/* ---- parts of a group ---------------------------------------------------------------------------------------------- */

template <unsigned Size>
SIMT_MEMBER static inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    if constexpr (Size > 32)
        simt_prepare_meetings();
    return thread_block_tile<Size, thread_block>(thread_block::num_threads());
}
template <unsigned Size, unsigned __S, class __P>
SIMT_MEMBER static inline thread_block_tile<Size, thread_block_tile<__S, __P>>
tiled_partition(const thread_block_tile<__S, __P> &)
{
    static_assert(Size <= __S, "a tile's parts are not larger than the tile");
    return thread_block_tile<Size, thread_block_tile<__S, __P>>(__S);
}

SIMT_MEMBER static inline thread_block_tile<1, thread_block> this_thread()
{
    return tiled_partition<1>(this_thread_block());
}

/* Returns the part with `size` consecutive ranks of a group of lanes, or with consecutive lanes of the block. */
SIMT_MEMBER static inline coalesced_group tiled_partition(const simt_warp_group &group, unsigned size)
{
    unsigned __part = group.thread_rank() / size;
    return coalesced_group(group.__lanes_of_ranks(__part * size, size), __part,
                           (group.num_threads() + size - 1) / size);
}
SIMT_MEMBER inline thread_group tiled_partition(const thread_group &group, unsigned size)
{
    unsigned __whole = group.mask;
    if (!__whole)
        __whole = (size >= 32 ? ~0u : (1u << size) - 1)
                  << (size >= 32 ? 0 : simt_thread_number() % 32 / size * size);
    simt_warp_group __lanes(__whole);
    return thread_group(simt_warp_group(__lanes.__lanes_of_ranks(__lanes.thread_rank() / size * size, size)));
}

/* Returns the group of those lanes that passed the same label. */
template <class __T>
SIMT_MEMBER static inline coalesced_group labeled_partition(const simt_warp_group &group, __T __group_label)
{
    return coalesced_group(simt_warp_match_any(group.__lane_mask(), simt_pack(__group_label)));
}
SIMT_MEMBER static inline coalesced_group binary_partition(const simt_warp_group &group, bool predicate)
{
    unsigned __yes = simt_warp_vote(group.__lane_mask(), predicate, SIMT_VOTE_BALLOT);
    return coalesced_group(predicate ? __yes : group.__lane_mask() & ~__yes, predicate, 2);
}

/* ---- one thread for the group ------------------------------------------------------------------------------------------ */

template <class Group, class __F>
SIMT_MEMBER static inline void invoke_one(const Group &group, __F __function)
{
    if (group.thread_rank() == 0)
        __function();
}
template <class Group, class __F>
SIMT_MEMBER static inline auto invoke_one_broadcast(const Group &group, __F __function)
{
    decltype(__function()) result{};
    if (group.thread_rank() == 0)
        result = __function();
    return group.shfl(result, 0);
}

template <class __T = int>
__attribute__((__error__("the CPU device has no thread block clusters; DEVICE=cuda has"))) thread_block
this_cluster();

#undef SIMT_MEMBER

} // namespace cooperative_groups

#endif
