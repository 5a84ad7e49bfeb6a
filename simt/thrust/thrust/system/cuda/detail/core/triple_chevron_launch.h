/* triple_chevron_launch.h: takes the place of NVIDIA's header, in which CUB launches its own kernels. C++. */
#ifndef SIMT_TRIPLE_CHEVRON_LAUNCH_H
#define SIMT_TRIPLE_CHEVRON_LAUNCH_H

THRUST_NAMESPACE_BEGIN
namespace cuda_cub
{
namespace detail
{
struct triple_chevron {
    template <class... A> triple_chevron(A...)
    {
    }
    template <class K, class... A> cudaError_t doit(K, const A &...) const
    {
        static_assert(sizeof(K) == 0, "the CPU device does not have this algorithm of CUB");
        return cudaErrorNotSupported;
    }
};
} // namespace detail
} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
