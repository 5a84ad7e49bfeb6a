/* simt_cub.h: CUB on the CPU device. C++, read by simtcc before a source that includes CUB's headers.
 *
 * The headers are NVIDIA's own. Those for blocks and warps run as they are, except for the parts in PTX, which this
 * header replaces. */
#ifndef SIMT_CUB_H
#define SIMT_CUB_H

#include "../include/cooperative_groups.h"
#include "simt_thrust.h"

_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX
inline unsigned get_sreg_laneid()
{
    return cooperative_groups::simt_thread_number() % 32;
}
inline unsigned get_sreg_lanemask_lt()
{
    return (1u << get_sreg_laneid()) - 1;
}
inline unsigned get_sreg_lanemask_le()
{
    return 2 * get_sreg_lanemask_lt() + 1;
}
inline unsigned get_sreg_lanemask_gt()
{
    return ~get_sreg_lanemask_le();
}
inline unsigned get_sreg_lanemask_ge()
{
    return ~get_sreg_lanemask_lt();
}
/* Only a kernel that never runs calls these. */
template <class... A> bool mbarrier_try_wait_parity(A...);
template <class... A> void mbarrier_arrive_expect_tx(A...);
template <class... A> void mbarrier_init(A...);
template <class... A> void cp_async_bulk(A...);
template <class... A> void fence_proxy_async(A...);
_LIBCUDACXX_END_NAMESPACE_CUDA_PTX

/* A kernel cannot call the algorithms for the whole device. */
#undef CUB_RUNTIME_FUNCTION
#define CUB_RUNTIME_FUNCTION SIMT_SPACE("__host__")

/* Functions in PTX. */
#define ShuffleUp   simt_ptx_shuffle_up
#define ShuffleDown simt_ptx_shuffle_down
#define MatchAny    simt_ptx_match_any
#define ThreadLoad  simt_ptx_load
#define ThreadStore simt_ptx_store
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_ptx.cuh>
#undef ShuffleUp
#undef ShuffleDown
#undef MatchAny
#undef ThreadLoad
#undef ThreadStore
CUB_NAMESPACE_BEGIN
template <CacheLoadModifier modifier, class I> detail::it_value_t<I> ThreadLoad(I from)
{
    if constexpr (modifier == LOAD_VOLATILE)
        return simt_ptx_load<modifier>(from);
    else
        return *from;
}
template <CacheStoreModifier modifier, class I, class T> void ThreadStore(I to, T value)
{
    if constexpr (modifier == STORE_VOLATILE)
        simt_ptx_store<modifier>(to, value);
    else
        *to = value;
}
template <int width, class T> T ShuffleUp(T input, int by, int first, unsigned mask)
{
    const int lane = (int)::cuda::ptx::get_sreg_laneid(), from = lane - by;
    return ShuffleIndex<32>(input, from >= lane / width * width + first ? from : lane, mask);
}
template <int width, class T> T ShuffleDown(T input, int by, int last, unsigned mask)
{
    const int lane = (int)::cuda::ptx::get_sreg_laneid(), from = lane + by;
    return ShuffleIndex<32>(input, from <= lane / width * width + last ? from : lane, mask);
}
template <int bits, int threads = 32> unsigned MatchAny(unsigned label)
{
    return __match_any_sync(0xffffffffu >> (32 - threads), label & ((1u << bits) - 1));
}
CUB_NAMESPACE_END

/* Sums have overloads in PTX. With this name they are never chosen. */
#include <cuda/std/functional>
_LIBCUDACXX_BEGIN_NAMESPACE_STD
template <class = void> struct simt_ptx_plus {
};
_LIBCUDACXX_END_NAMESPACE_STD
#include <cub/thread/thread_operators.cuh>
#define plus simt_ptx_plus
#include <cub/warp/specializations/warp_reduce_shfl.cuh>
#include <cub/warp/specializations/warp_scan_shfl.cuh>
#undef plus

/* The storage of this scan is a struct of alignment 32 in memory that is aligned to 16. */
#pragma push_macro("__align__")
#undef __align__
#define __align__(bytes) __attribute__((__aligned__((bytes) < 16 ? (bytes) : 16)))
#include <cub/block/specializations/block_scan_warp_scans.cuh>
#pragma pop_macro("__align__")

#include "simt_cub_device.h"

#if defined(SIMT_CUDA) && SIMT_CUDA == 12 /* simtcc --cuda=12: what CUB has lost with CUDA 13 */
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
CUB_NAMESPACE_BEGIN
using Sum = ::cuda::std::plus<>;
using Min = ::cuda::minimum<>;
using Max = ::cuda::maximum<>;
using Equality = ::cuda::std::equal_to<>;
using Inequality = ::cuda::std::not_equal_to<>;
template <class T, class N = ptrdiff_t> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class N = ptrdiff_t> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class Op, class In, class N = ptrdiff_t>
using TransformInputIterator = thrust::transform_iterator<Op, In, T>;
CUB_NAMESPACE_END
#endif

#endif
