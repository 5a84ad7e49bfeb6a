/* simt_small_float_more.h: saturation, comparisons with numbers that are none, and directed rounding for 16-bit
 * floating-point numbers. C++, internal to cuda_fp16.h and cuda_bf16.h. */
#ifndef SIMT_SMALL_FLOAT_MORE_H
#define SIMT_SMALL_FLOAT_MORE_H

namespace simt
{

/* Returns the nearest number if it is on the right side of the exact value, which is up (1) or down (-1), and
 * otherwise its neighbour there. */
template <int __up, class __T> inline __host__ __device__ __T __small_rounded(__T __nearest, double __exact)
{
    const double value = (float)__nearest;
    if (__up > 0 ? !(value < __exact) : !(value > __exact))
        return __nearest;
    if (value == 0)
        __nearest.__x = __up > 0 ? 0x0001 : 0x8001;
    else
        __nearest.__x = (unsigned short)(__nearest.__x + ((value > 0) == (__up > 0) ? 1 : -1));
    return __nearest;
}

/* Clamps the value to the range from 0 to 1. A NaN becomes 0. */
inline __host__ __device__ float __saturated(float value)
{
    return value > 0 ? value < 1 ? value : 1.0f : 0.0f;
}

template <class __T> inline __host__ __device__ __T __not_negative(__T value)
{
    return value < __T(0) ? __T(0) : value;
}

} // namespace simt

#define SIMT_SMALL_SATURATED(type, pair, name, x_and_y)                                                      \
    inline __host__ __device__ type __h##name##_sat(type a, type b)                                          \
    {                                                                                                        \
        const float x = a, y = b;                                                                            \
        return type(simt::__saturated(x_and_y));                                                             \
    }                                                                                                        \
    inline __host__ __device__ pair __h##name##2_sat(pair a, pair b)                                         \
    {                                                                                                        \
        return pair(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y));                                   \
    }                                                                                                        \
    inline __host__ __device__ type __h##name##_rn(type a, type b)                                           \
    {                                                                                                        \
        return __h##name(a, b);                                                                              \
    }                                                                                                        \
    inline __host__ __device__ pair __h##name##2_rn(pair a, pair b)                                          \
    {                                                                                                        \
        return __h##name##2(a, b);                                                                           \
    }

/* A comparison that is true for numbers only is `name`, and one that is true also if one of the two is no number is `nameu`. */
#define SIMT_SMALL_UNORDERED(type, pair, name)                                                               \
    inline __host__ __device__ bool __h##name##u(type a, type b)                                             \
    {                                                                                                        \
        return __hisnan(a) || __hisnan(b) || __h##name(a, b);                                                \
    }                                                                                                        \
    inline __host__ __device__ pair __h##name##u2(pair a, pair b)                                            \
    {                                                                                                        \
        return pair(type((float)__h##name##u(a.x, b.x)), type((float)__h##name##u(a.y, b.y)));               \
    }                                                                                                        \
    inline __host__ __device__ bool __hb##name##u2(pair a, pair b)                                           \
    {                                                                                                        \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                             \
    }                                                                                                        \
    inline __host__ __device__ unsigned __h##name##2_mask(pair a, pair b)                                    \
    {                                                                                                        \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                \
    }                                                                                                        \
    inline __host__ __device__ unsigned __h##name##u2_mask(pair a, pair b)                                   \
    {                                                                                                        \
        return (__h##name##u(a.x, b.x) ? 0xffffu : 0) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0);          \
    }

#define SIMT_SMALL_WITH_NAN(type, pair, name)                                                                \
    inline __host__ __device__ type name##_nan(type a, type b)                                               \
    {                                                                                                        \
        return __hisnan(a) || __hisnan(b) ? type(__builtin_nanf("")) : name(a, b);                           \
    }                                                                                                        \
    inline __host__ __device__ pair name##2_nan(pair a, pair b)                                              \
    {                                                                                                        \
        return pair(name##_nan(a.x, b.x), name##_nan(a.y, b.y));                                             \
    }

#define SIMT_SMALL_DIRECTED(type, word, other, number, value_of)                                             \
    inline __host__ __device__ type __##other##2##word##_rd(number value)                                    \
    {                                                                                                        \
        return simt::__small_rounded<-1>(type(value_of), value_of);                                          \
    }                                                                                                        \
    inline __host__ __device__ type __##other##2##word##_ru(number value)                                    \
    {                                                                                                        \
        return simt::__small_rounded<1>(type(value_of), value_of);                                           \
    }                                                                                                        \
    inline __host__ __device__ type __##other##2##word##_rz(number value)                                    \
    {                                                                                                        \
        return (double)value < 0 ? __##other##2##word##_ru(value) : __##other##2##word##_rd(value);          \
    }

#define SIMT_SMALL_DIRECTED_INTEGER(type, word, short_name, integer)                                         \
    SIMT_SMALL_DIRECTED(type, word, short_name, integer, (double)value)                                      \
    inline __device__ integer __##word##2##short_name##_rd(type value)                                       \
    {                                                                                                        \
        return (integer)__builtin_floorf(value);                                                             \
    }                                                                                                        \
    inline __device__ integer __##word##2##short_name##_ru(type value)                                       \
    {                                                                                                        \
        return (integer)__builtin_ceilf(value);                                                              \
    }

/* Defines all of it for a type and its pair. */
#define SIMT_SMALL_FLOAT_MORE(type, pair, word)                                                              \
    SIMT_SMALL_SATURATED(type, pair, add, x + y)                                                             \
    SIMT_SMALL_SATURATED(type, pair, sub, x - y)                                                             \
    SIMT_SMALL_SATURATED(type, pair, mul, x *y)                                                              \
    SIMT_SMALL_UNORDERED(type, pair, eq)                                                                     \
    SIMT_SMALL_UNORDERED(type, pair, ne)                                                                     \
    SIMT_SMALL_UNORDERED(type, pair, lt)                                                                     \
    SIMT_SMALL_UNORDERED(type, pair, le)                                                                     \
    SIMT_SMALL_UNORDERED(type, pair, gt)                                                                     \
    SIMT_SMALL_UNORDERED(type, pair, ge)                                                                     \
    SIMT_SMALL_WITH_NAN(type, pair, __hmax)                                                                  \
    SIMT_SMALL_WITH_NAN(type, pair, __hmin)                                                                  \
    SIMT_SMALL_DIRECTED(type, word, float, float, value)                                                     \
    SIMT_SMALL_DIRECTED_INTEGER(type, word, int, int)                                                        \
    SIMT_SMALL_DIRECTED_INTEGER(type, word, uint, unsigned int)                                              \
    SIMT_SMALL_DIRECTED_INTEGER(type, word, short, short)                                                    \
    SIMT_SMALL_DIRECTED_INTEGER(type, word, ushort, unsigned short)                                          \
    SIMT_SMALL_DIRECTED_INTEGER(type, word, ll, long long)                                                   \
    SIMT_SMALL_DIRECTED_INTEGER(type, word, ull, unsigned long long)                                         \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hexp10, h2exp10, exp10f(x))                             \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, htanh_approx, h2tanh_approx, tanhf(x))                  \
    SIMT_SMALL_OF_THREE(type, pair, __hfma_sat, __hfma2_sat, type(simt::__saturated(__hfma(a, b, c))))       \
    SIMT_SMALL_OF_THREE(type, pair, __hfma_relu, __hfma2_relu, simt::__not_negative(__hfma(a, b, c)))        \
    inline __device__ pair __hcmadd(pair a, pair b, pair c)                                                  \
    {                                                                                                        \
        return pair(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));      \
    }                                                                                                        \
    inline __host__ __device__ pair __hisnan2(pair a)                                                        \
    {                                                                                                        \
        return pair(type((float)__hisnan(a.x)), type((float)__hisnan(a.y)));                                 \
    }                                                                                                        \
    inline __host__ __device__ signed char __##word##2char_rz(type value)                                    \
    {                                                                                                        \
        return (signed char)(float)value;                                                                    \
    }                                                                                                        \
    inline __host__ __device__ unsigned char __##word##2uchar_rz(type value)                                 \
    {                                                                                                        \
        return (unsigned char)(float)value;                                                                  \
    }                                                                                                        \
    inline __host__ __device__ short __##word##_as_short(type value)                                         \
    {                                                                                                        \
        return (short)__##word##_as_ushort(value);                                                           \
    }                                                                                                        \
    inline __host__ __device__ type __short_as_##word(short __bits)                                          \
    {                                                                                                        \
        return __ushort_as_##word((unsigned short)__bits);                                                   \
    }

#endif
