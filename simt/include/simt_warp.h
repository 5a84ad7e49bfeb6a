/* simt_warp.h: barriers, shuffles, votes and reductions. C++, internal to cuda_runtime.h, for kernels only.
 *
 * A warp operation waits until every lane in its mask has called the same operation. It does not wait for lanes
 * whose threads have returned. */
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include "simt_device_api.h"
#include "simt_intrinsics.h"

/* ---- the block ---------------------------------------------------------------------------------------------- */

SIMT_DEVICE_INLINE void __syncthreads()
{
    simt_barrier();
}
SIMT_DEVICE_INLINE int __syncthreads_count(int __predicate)
{
    return simt_barrier_vote(__predicate, SIMT_BARRIER_COUNT);
}
SIMT_DEVICE_INLINE int __syncthreads_and(int __predicate)
{
    return simt_barrier_vote(__predicate, SIMT_BARRIER_AND);
}
SIMT_DEVICE_INLINE int __syncthreads_or(int __predicate)
{
    return simt_barrier_vote(__predicate, SIMT_BARRIER_OR);
}

/* ---- the warp ----------------------------------------------------------------------------------------------- */

SIMT_DEVICE_INLINE void __syncwarp(unsigned mask = 0xffffffffu)
{
    simt_warp_sync(mask);
}
SIMT_DEVICE_INLINE unsigned __activemask()
{
    return simt_warp_active();
}
SIMT_DEVICE_INLINE int __all_sync(unsigned mask, int __predicate)
{
    return (int)simt_warp_vote(mask, __predicate, SIMT_VOTE_ALL);
}
SIMT_DEVICE_INLINE int __any_sync(unsigned mask, int __predicate)
{
    return (int)simt_warp_vote(mask, __predicate, SIMT_VOTE_ANY);
}
SIMT_DEVICE_INLINE int __uni_sync(unsigned mask, int __predicate)
{
    return (int)simt_warp_vote(mask, __predicate, SIMT_VOTE_UNIFORM);
}
SIMT_DEVICE_INLINE unsigned __ballot_sync(unsigned mask, int __predicate)
{
    return simt_warp_vote(mask, __predicate, SIMT_VOTE_BALLOT);
}

/* A value as the 64 bits that are exchanged between lanes, and back. Types of 3, 5, 6 or 7 bytes are padded. */
template <size_t bytes> struct simt_bytes {
    unsigned char byte[bytes];
};
template <class __T> SIMT_DEVICE_INLINE uint64_t simt_pack(__T value)
{
    static_assert(sizeof(__T) <= 8, "at most 8 bytes");
    if constexpr (sizeof(__T) == 8)
        return simt_bits_as<uint64_t>(value);
    else if constexpr (sizeof(__T) == 4)
        return simt_bits_as<uint32_t>(value);
    else if constexpr (sizeof(__T) == 2)
        return simt_bits_as<uint16_t>(value);
    else if constexpr (sizeof(__T) == 1)
        return simt_bits_as<uint8_t>(value);
    else {
        simt_bytes<8> __padded = {};
        auto __plain = simt_bits_as<simt_bytes<sizeof(__T)>>(value);
        for (size_t __i = 0; __i < sizeof value; __i++)
            __padded.byte[__i] = __plain.byte[__i];
        return simt_bits_as<uint64_t>(__padded);
    }
}
template <class __T> SIMT_DEVICE_INLINE __T simt_unpack(uint64_t __bits)
{
    if constexpr (sizeof(__T) == 8)
        return simt_bits_as<__T>(__bits);
    else if constexpr (sizeof(__T) == 4)
        return simt_bits_as<__T>((uint32_t)__bits);
    else if constexpr (sizeof(__T) == 2)
        return simt_bits_as<__T>((uint16_t)__bits);
    else if constexpr (sizeof(__T) == 1)
        return simt_bits_as<__T>((uint8_t)__bits);
    else {
        auto __padded = simt_bits_as<simt_bytes<8>>(__bits);
        simt_bytes<sizeof(__T)> __plain = {};
        for (size_t __i = 0; __i < sizeof __plain; __i++)
            __plain.byte[__i] = __padded.byte[__i];
        return simt_bits_as<__T>(__plain);
    }
}

/* cuda_fp16.h and cuda_bf16.h add theirs. */
#define SIMT_SHUFFLES(type)                                                                                  \
    SIMT_DEVICE_INLINE type __shfl_sync(unsigned mask, type value, int __lane, int width = 32)               \
    {                                                                                                        \
        return simt_unpack<type>(                                                                            \
            simt_warp_shuffle(mask, simt_pack(value), SIMT_SHUFFLE_INDEX, __lane, width));                   \
    }                                                                                                        \
    SIMT_DEVICE_INLINE type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width = 32)        \
    {                                                                                                        \
        return simt_unpack<type>(                                                                            \
            simt_warp_shuffle(mask, simt_pack(value), SIMT_SHUFFLE_UP, (int)delta, width));                  \
    }                                                                                                        \
    SIMT_DEVICE_INLINE type __shfl_down_sync(unsigned mask, type value, unsigned delta, int width = 32)      \
    {                                                                                                        \
        return simt_unpack<type>(                                                                            \
            simt_warp_shuffle(mask, simt_pack(value), SIMT_SHUFFLE_DOWN, (int)delta, width));                \
    }                                                                                                        \
    SIMT_DEVICE_INLINE type __shfl_xor_sync(unsigned mask, type value, int __lanes, int width = 32)          \
    {                                                                                                        \
        return simt_unpack<type>(                                                                            \
            simt_warp_shuffle(mask, simt_pack(value), SIMT_SHUFFLE_XOR, __lanes, width));                    \
    }

SIMT_SHUFFLES(int)
SIMT_SHUFFLES(unsigned)
SIMT_SHUFFLES(long)
SIMT_SHUFFLES(unsigned long)
SIMT_SHUFFLES(long long)
SIMT_SHUFFLES(unsigned long long)
SIMT_SHUFFLES(float)
SIMT_SHUFFLES(double)

#define SIMT_MATCHES(type)                                                                                   \
    SIMT_DEVICE_INLINE unsigned __match_any_sync(unsigned mask, type value)                                  \
    {                                                                                                        \
        return simt_warp_match_any(mask, simt_pack(value));                                                  \
    }                                                                                                        \
    SIMT_DEVICE_INLINE unsigned __match_all_sync(unsigned mask, type value, int *__predicate)                \
    {                                                                                                        \
        unsigned __lanes = simt_warp_match_all(mask, simt_pack(value));                                      \
        *__predicate = __lanes != 0;                                                                         \
        return __lanes;                                                                                      \
    }

SIMT_MATCHES(int)
SIMT_MATCHES(unsigned)
SIMT_MATCHES(long)
SIMT_MATCHES(unsigned long)
SIMT_MATCHES(long long)
SIMT_MATCHES(unsigned long long)
SIMT_MATCHES(float)
SIMT_MATCHES(double)

SIMT_DEVICE_INLINE unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
    return simt_warp_reduce(mask, value, SIMT_REDUCE_ADD);
}
SIMT_DEVICE_INLINE unsigned __reduce_min_sync(unsigned mask, unsigned value)
{
    return simt_warp_reduce(mask, value, SIMT_REDUCE_MIN);
}
SIMT_DEVICE_INLINE unsigned __reduce_max_sync(unsigned mask, unsigned value)
{
    return simt_warp_reduce(mask, value, SIMT_REDUCE_MAX);
}
SIMT_DEVICE_INLINE int __reduce_add_sync(unsigned mask, int value)
{
    return (int)simt_warp_reduce(mask, (unsigned)value, SIMT_REDUCE_ADD);
}
SIMT_DEVICE_INLINE int __reduce_min_sync(unsigned mask, int value)
{
    return (int)simt_warp_reduce(mask, (unsigned)value, SIMT_REDUCE_MIN_SIGNED);
}
SIMT_DEVICE_INLINE int __reduce_max_sync(unsigned mask, int value)
{
    return (int)simt_warp_reduce(mask, (unsigned)value, SIMT_REDUCE_MAX_SIGNED);
}
SIMT_DEVICE_INLINE unsigned __reduce_and_sync(unsigned mask, unsigned value)
{
    return simt_warp_reduce(mask, value, SIMT_REDUCE_AND);
}
SIMT_DEVICE_INLINE unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return simt_warp_reduce(mask, value, SIMT_REDUCE_OR);
}
SIMT_DEVICE_INLINE unsigned __reduce_xor_sync(unsigned mask, unsigned value)
{
    return simt_warp_reduce(mask, value, SIMT_REDUCE_XOR);
}

#undef SIMT_MATCHES

#endif
