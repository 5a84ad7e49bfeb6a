/* delays.cuh: lets threads of a GPU wait at random, so that those that race do so in the wrong order, too. cudac --delays
 * puts calls of these functions into a submission (simt/cudac/delays.c).
 *
 * At each place and in each round of a loop, an eighth of the warps is drawn, and each of those waits for up to 2 us. A
 * warp is drawn as a whole because its lanes meet again after the branch in which one of them waits. The number of the
 * place has the seed in it; the clock lets each round draw again, so no two runs are alike. On the host nothing waits. */
#ifndef LABS_DELAYS_CUH
#define LABS_DELAYS_CUH

namespace delays
{

enum { ONE_OF = 8, MOST_NANOSECONDS = 2048 };

#ifdef __CUDA_ARCH__
/* The last step of MurmurHash3 (Appleby 2011), which mixes 32 bits. */
static __device__ __noinline__ void wait(unsigned place)
{
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned block  = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned h = place ^ (thread / warpSize * 0x9E3779B1u) ^ (block * 0x85EBCA77u) ^ (unsigned)clock64();
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    h ^= h >> 16;
    if (h % ONE_OF == 0)
        __nanosleep(h / ONE_OF % MOST_NANOSECONDS);
}
#endif

/* After a statement. */
__host__ __device__ constexpr void here(unsigned place)
{
#ifdef __CUDA_ARCH__
    if (!__builtin_is_constant_evaluated())
        wait(place);
#else
    (void)place;
#endif
}

/* Before an access: returns the index. The bound of an array is an index, too, and stays a constant. */
template <class Index> __host__ __device__ constexpr Index at(unsigned place, Index index)
{
    here(place);
    return index;
}

} // namespace delays

#endif
