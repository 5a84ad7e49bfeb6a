/* simt_intrinsics.h: bit operations, conversions, cached loads and stores, and time. C++, internal to
 * cuda_runtime.h. As in CUDA they are for device code only, although all but the last section would also work in
 * host code. */
#ifndef SIMT_INTRINSICS_H
#define SIMT_INTRINSICS_H

#include "simt_device_api.h"
#include "simt_math.h"
#include "simt_spaces.h"

#include <time.h>

/* ---- bits --------------------------------------------------------------------------------------------------- */

SIMT_DEVICE_INLINE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
SIMT_DEVICE_INLINE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
SIMT_DEVICE_INLINE int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
SIMT_DEVICE_INLINE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
SIMT_DEVICE_INLINE int __ffs(int x)
{
    return __builtin_ffs(x);
}
SIMT_DEVICE_INLINE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

SIMT_DEVICE_INLINE unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
SIMT_DEVICE_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

/* Returns the place of the n-th set bit at or after `base` (n > 0) or at or before it (n < 0); ~0 if there is none. */
SIMT_DEVICE static inline unsigned __fns(unsigned mask, unsigned base, int offset)
{
    int __step = offset < 0 ? -1 : 1, __left = offset < 0 ? -offset : offset;
    if (__left == 0)
        return mask >> base & 1 ? base : ~0u;
    for (int __place = (int)base; __place >= 0 && __place < 32; __place += __step) {
        if (mask >> __place & 1 && --__left == 0)
            return (unsigned)__place;
    }
    return ~0u;
}

/* Chooses four of the eight bytes of (y, x), each by the low three bits of one hexadecimal digit of the selector. */
SIMT_DEVICE static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned __selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int __i = 0; __i < 4; __i++)
        result |= ((unsigned)(bytes >> 8 * (__selector >> 4 * __i & 7)) & 255) << 8 * __i;
    return result;
}

SIMT_DEVICE_INLINE unsigned __funnelshift_l(unsigned __low, unsigned __high, unsigned shift)
{
    return (unsigned)((((unsigned long long)__high << 32 | __low) << (shift & 31)) >> 32);
}
SIMT_DEVICE_INLINE unsigned __funnelshift_lc(unsigned __low, unsigned __high, unsigned shift)
{
    return shift >= 32 ? __low : __funnelshift_l(__low, __high, shift);
}
SIMT_DEVICE_INLINE unsigned __funnelshift_r(unsigned __low, unsigned __high, unsigned shift)
{
    return (unsigned)(((unsigned long long)__high << 32 | __low) >> (shift & 31));
}
SIMT_DEVICE_INLINE unsigned __funnelshift_rc(unsigned __low, unsigned __high, unsigned shift)
{
    return shift >= 32 ? __high : __funnelshift_r(__low, __high, shift);
}

/* ---- integer arithmetic ------------------------------------------------------------------------------------- */

SIMT_DEVICE_INLINE int __mul24(int x, int y)
{
    return (x << 8 >> 8) * (y << 8 >> 8);
}
SIMT_DEVICE_INLINE unsigned __umul24(unsigned x, unsigned y)
{
    return (x & 0xffffffu) * (y & 0xffffffu);
}
SIMT_DEVICE_INLINE int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
SIMT_DEVICE_INLINE unsigned __umulhi(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}
SIMT_DEVICE_INLINE long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
SIMT_DEVICE_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
SIMT_DEVICE_INLINE int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}
SIMT_DEVICE_INLINE int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}
SIMT_DEVICE_INLINE unsigned __uhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y) >> 1);
}
SIMT_DEVICE_INLINE unsigned __urhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
SIMT_DEVICE_INLINE unsigned __sad(int x, int y, unsigned z)
{
    return (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + z;
}
SIMT_DEVICE_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    return (x > y ? x - y : y - x) + z;
}
SIMT_DEVICE_INLINE int __dp4a(int x, int y, int __sum)
{
    for (int __i = 0; __i < 32; __i += 8)
        __sum += (signed char)(x >> __i) * (signed char)(y >> __i);
    return __sum;
}
SIMT_DEVICE_INLINE unsigned __dp4a(unsigned x, unsigned y, unsigned __sum)
{
    for (int __i = 0; __i < 32; __i += 8)
        __sum += (x >> __i & 255) * (y >> __i & 255);
    return __sum;
}
SIMT_DEVICE_INLINE int __dp2a_lo(int x, int y, int __sum)
{
    return __sum + (short)x * (signed char)y + (short)(x >> 16) * (signed char)(y >> 8);
}
SIMT_DEVICE_INLINE unsigned __dp2a_lo(unsigned x, unsigned y, unsigned __sum)
{
    return __sum + (x & 0xffff) * (y & 255) + (x >> 16) * (y >> 8 & 255);
}
SIMT_DEVICE_INLINE int __dp2a_hi(int x, int y, int __sum)
{
    return __dp2a_lo(x, y >> 16, __sum);
}
SIMT_DEVICE_INLINE unsigned __dp2a_hi(unsigned x, unsigned y, unsigned __sum)
{
    return __dp2a_lo(x, y >> 16, __sum);
}
#define SIMT_DOT_PRODUCT(name, number, first, second)                                                        \
    SIMT_DEVICE_INLINE number name(first x, second y, number __sum)                                          \
    {                                                                                                        \
        return name(__builtin_bit_cast(number, x), __builtin_bit_cast(number, y), __sum);                    \
    }
SIMT_DOT_PRODUCT(__dp4a, int, char4, char4)
SIMT_DOT_PRODUCT(__dp4a, unsigned, uchar4, uchar4)
SIMT_DOT_PRODUCT(__dp2a_lo, int, short2, char4)
SIMT_DOT_PRODUCT(__dp2a_lo, unsigned, ushort2, uchar4)
SIMT_DOT_PRODUCT(__dp2a_hi, int, short2, char4)
SIMT_DOT_PRODUCT(__dp2a_hi, unsigned, ushort2, uchar4)
#undef SIMT_DOT_PRODUCT

/* ---- the same bits as another type ---------------------------------------------------------------------------- */

template <class __T, class __F> SIMT_INLINE __T simt_bits_as(__F from)
{
    return __builtin_bit_cast(__T, from);
}

SIMT_DEVICE_INLINE int __float_as_int(float x)
{
    return simt_bits_as<int>(x);
}
SIMT_DEVICE_INLINE unsigned __float_as_uint(float x)
{
    return simt_bits_as<unsigned>(x);
}
SIMT_DEVICE_INLINE float __int_as_float(int x)
{
    return simt_bits_as<float>(x);
}
SIMT_DEVICE_INLINE float __uint_as_float(unsigned x)
{
    return simt_bits_as<float>(x);
}
SIMT_DEVICE_INLINE long long __double_as_longlong(double x)
{
    return simt_bits_as<long long>(x);
}
SIMT_DEVICE_INLINE double __longlong_as_double(long long x)
{
    return simt_bits_as<double>(x);
}
SIMT_DEVICE_INLINE int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
SIMT_DEVICE_INLINE int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
SIMT_DEVICE_INLINE double __hiloint2double(int __high, int __low)
{
    return __longlong_as_double((long long)((unsigned long long)(unsigned)__high << 32 | (unsigned)__low));
}

/* ---- conversions: _rn to nearest even, _rz towards 0, _rd down, _ru up; out of range gives the limit
 * -------------- */

template <class __T> SIMT_INLINE __T simt_clamp_to(double x)
{
    const __T __least = (__T)((__T)-1 < 0 ? (__T)1 << (sizeof(__T) * 8 - 1) : 0), __most = (__T)~__least;
    if (x != x)
        return sizeof(__T) == 8 ? (__T)1 << 63 : 0;
    return x <= (double)__least ? __least : x >= (double)__most ? __most : (__T)x;
}

#define SIMT_CONVERSIONS(name, from, to)                                                                     \
    SIMT_DEVICE_INLINE to __##name##_rn(from x)                                                              \
    {                                                                                                        \
        return simt_clamp_to<to>(::nearbyint((double)x));                                                    \
    }                                                                                                        \
    SIMT_DEVICE_INLINE to __##name##_rz(from x)                                                              \
    {                                                                                                        \
        return simt_clamp_to<to>(::trunc((double)x));                                                        \
    }                                                                                                        \
    SIMT_DEVICE_INLINE to __##name##_rd(from x)                                                              \
    {                                                                                                        \
        return simt_clamp_to<to>(::floor((double)x));                                                        \
    }                                                                                                        \
    SIMT_DEVICE_INLINE to __##name##_ru(from x)                                                              \
    {                                                                                                        \
        return simt_clamp_to<to>(::ceil((double)x));                                                         \
    }

SIMT_CONVERSIONS(float2int, float, int)
SIMT_CONVERSIONS(float2uint, float, unsigned)
SIMT_CONVERSIONS(float2ll, float, long long)
SIMT_CONVERSIONS(float2ull, float, unsigned long long)
SIMT_CONVERSIONS(double2int, double, int)
SIMT_CONVERSIONS(double2uint, double, unsigned)
SIMT_CONVERSIONS(double2ll, double, long long)
SIMT_CONVERSIONS(double2ull, double, unsigned long long)

SIMT_DEVICE_INLINE float __int2float_rn(int x)
{
    return (float)x;
}
SIMT_DEVICE_INLINE float __uint2float_rn(unsigned x)
{
    return (float)x;
}
SIMT_DEVICE_INLINE float __ll2float_rn(long long x)
{
    return (float)x;
}
SIMT_DEVICE_INLINE float __ull2float_rn(unsigned long long x)
{
    return (float)x;
}
SIMT_DEVICE_INLINE double __int2double_rn(int x)
{
    return (double)x;
}
SIMT_DEVICE_INLINE double __uint2double_rn(unsigned x)
{
    return (double)x;
}
SIMT_DEVICE_INLINE double __ll2double_rn(long long x)
{
    return (double)x;
}
SIMT_DEVICE_INLINE double __ull2double_rn(unsigned long long x)
{
    return (double)x;
}
SIMT_DEVICE_INLINE float __double2float_rn(double x)
{
    return (float)x;
}

/* ---- loads and stores with a cache hint: plain accesses, except for two that are volatile
 * -------------------------- */

template <class __T> SIMT_DEVICE_INLINE __T __ldg(const __T *address)
{
    return *address;
}
template <class __T> SIMT_DEVICE_INLINE __T __ldca(const __T *address)
{
    return *address;
}
template <class __T> SIMT_DEVICE_INLINE __T __ldcg(const __T *address)
{
    return *address;
}
template <class __T> SIMT_DEVICE_INLINE __T __ldcs(const __T *address)
{
    return *address;
}
template <class __T> SIMT_DEVICE_INLINE __T __ldlu(const __T *address)
{
    return *address;
}
template <class __T> SIMT_DEVICE_INLINE __T __ldcv(const __T *address)
{
    if constexpr (__is_class(__T))
        return *address;
    else
        return *(const volatile __T *)address;
}

/* Keeps the value's type from being deduced, so that __stcg(&shorts[i], 1) stores a short. */
template <class __T> struct simt_same {
    typedef __T type;
};
template <class __T> SIMT_DEVICE_INLINE void __stcg(__T *address, typename simt_same<__T>::type value)
{
    *address = value;
}
template <class __T> SIMT_DEVICE_INLINE void __stcs(__T *address, typename simt_same<__T>::type value)
{
    *address = value;
}
template <class __T> SIMT_DEVICE_INLINE void __stwb(__T *address, typename simt_same<__T>::type value)
{
    *address = value;
}
template <class __T> SIMT_DEVICE_INLINE void __stwt(__T *address, typename simt_same<__T>::type value)
{
    if constexpr (__is_class(__T))
        *address = value;
    else
        *(volatile __T *)address = value;
}

/* ---- for kernels only ------------------------------------------------------------------------------------------ */

/* clock() is also a function of C: it is the device's clock in a kernel, and the processor time elsewhere. */
extern "C" clock_t clock(void) noexcept(true) __asm__("simt_clock_of_either_side");

SIMT_DEVICE_INLINE long long clock64()
{
    return simt_clock();
}
SIMT_DEVICE_INLINE void __nanosleep(unsigned __nanoseconds)
{
    simt_nanosleep(__nanoseconds);
}
SIMT_DEVICE_INLINE void __trap()
{
    simt_trap();
}
SIMT_DEVICE_INLINE void __brkpt()
{
}
SIMT_DEVICE_INLINE void __prof_trigger(int)
{
}

SIMT_DEVICE_INLINE unsigned __isGlobal(const void *address)
{
    return simt_is_in_space(address, SIMT_SPACE_GLOBAL);
}
SIMT_DEVICE_INLINE unsigned __isShared(const void *address)
{
    return simt_is_in_space(address, SIMT_SPACE_SHARED);
}
SIMT_DEVICE_INLINE unsigned __isConstant(const void *address)
{
    return simt_is_in_space(address, SIMT_SPACE_CONSTANT);
}
SIMT_DEVICE_INLINE unsigned __isLocal(const void *address)
{
    return simt_is_in_space(address, SIMT_SPACE_LOCAL);
}

/* An address of a memory space is the generic address here, where there is no PTX to use it. */
#define SIMT_CONVERSION(space)                                                                               \
    SIMT_DEVICE_INLINE size_t __cvta_generic_to_##space(const void *address)                                 \
    {                                                                                                        \
        return (size_t)address;                                                                              \
    }                                                                                                        \
    SIMT_DEVICE_INLINE void *__cvta_##space##_to_generic(size_t address)                                     \
    {                                                                                                        \
        return (void *)address;                                                                              \
    }
SIMT_CONVERSION(global)
SIMT_CONVERSION(shared)
SIMT_CONVERSION(constant)
SIMT_CONVERSION(local)
#undef SIMT_CONVERSION

#define __builtin_assume(condition) ((void)0)

#endif
