/* simt_small_float_math.h: arithmetic of pairs of 16-bit floating-point numbers, and functions of single ones. C++,
 * internal to cuda_fp16.h and cuda_bf16.h. Each result is rounded once, from float. Functions that nvcc has only in
 * kernels are for kernels only here too. */
#ifndef SIMT_SMALL_FLOAT_MATH_H
#define SIMT_SMALL_FLOAT_MATH_H

namespace simt
{

/* Returns a float that rounds to 16 bits as the double would: it is rounded towards zero, and made odd if bits are
 * lost. */
inline __host__ __device__ float __small_float_sum(double __exact)
{
    const float __near = (float)__exact;
    unsigned __bits = __builtin_bit_cast(unsigned, __near);
    if ((double)__near == __exact || __near != __near || __builtin_isinf(__near))
        return __near;
    __bits -= __builtin_fabs((double)__near) > __builtin_fabs(__exact);
    return __builtin_bit_cast(float, __bits | 1);
}

} // namespace simt

#define SIMT_SMALL_OF_TWO(type, pair, name, pairs, x_and_y)                                                  \
    inline __host__ __device__ type name(type a, type b)                                                     \
    {                                                                                                        \
        const float x = a, y = b;                                                                            \
        return type(x_and_y);                                                                                \
    }                                                                                                        \
    inline __host__ __device__ pair pairs(pair a, pair b)                                                    \
    {                                                                                                        \
        return pair(name(a.x, b.x), name(a.y, b.y));                                                         \
    }

#define SIMT_SMALL_OF_ONE(spaces, type, pair, name, pairs, of_x)                                             \
    spaces type name(type a)                                                                                 \
    {                                                                                                        \
        const float x = a;                                                                                   \
        return type(of_x);                                                                                   \
    }                                                                                                        \
    spaces pair pairs(pair a)                                                                                \
    {                                                                                                        \
        return pair(name(a.x), name(a.y));                                                                   \
    }

#define SIMT_SMALL_OF_THREE(type, pair, name, pairs, of_a_b_c)                                               \
    inline __device__ type name(type a, type b, type c)                                                      \
    {                                                                                                        \
        return of_a_b_c;                                                                                     \
    }                                                                                                        \
    inline __device__ pair pairs(pair a, pair b, pair c)                                                     \
    {                                                                                                        \
        return pair(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                               \
    }

#define SIMT_SMALL_OPERATOR(pair, of_two, name)                                                              \
    inline __host__ __device__ pair operator of_two(pair a, pair b)                                          \
    {                                                                                                        \
        return name(a, b);                                                                                   \
    }                                                                                                        \
    inline __host__ __device__ pair &operator of_two##=(pair &a, pair b)                                     \
    {                                                                                                        \
        return a = name(a, b);                                                                               \
    }

#define SIMT_SMALL_INTEGER(type, word, short_name, integer)                                                  \
    inline __host__ __device__ type __##short_name##2##word##_rn(integer value)                              \
    {                                                                                                        \
        return type((double)value);                                                                          \
    }                                                                                                        \
    inline __host__ __device__ integer __##word##2##short_name##_rz(type value)                              \
    {                                                                                                        \
        return (integer)(float)value;                                                                        \
    }                                                                                                        \
    inline __device__ integer __##word##2##short_name##_rn(type value)                                       \
    {                                                                                                        \
        return (integer)__builtin_rintf(value);                                                              \
    }

#define SIMT_SMALL_COMPARES_PAIRS(type, pair, name)                                                          \
    inline __host__ __device__ pair __h##name##2(pair a, pair b)                                             \
    {                                                                                                        \
        return pair(type((float)__h##name(a.x, b.x)), type((float)__h##name(a.y, b.y)));                     \
    }                                                                                                        \
    inline __host__ __device__ bool __hb##name##2(pair a, pair b)                                            \
    {                                                                                                        \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                   \
    }

#define SIMT_SMALL_COMPARES(type, pair, name, compares)                                                      \
    inline __host__ __device__ bool __h##name(type a, type b)                                                \
    {                                                                                                        \
        return a compares b;                                                                                 \
    }                                                                                                        \
    SIMT_SMALL_COMPARES_PAIRS(type, pair, name)

/* Defines all of it for a type and its pair, which simt_small_floats.h has made. */
#define SIMT_SMALL_FLOAT_MATH(type, pair, word)                                                              \
    inline __host__ __device__ pair __hadd2(pair a, pair b)                                                  \
    {                                                                                                        \
        return pair(__hadd(a.x, b.x), __hadd(a.y, b.y));                                                     \
    }                                                                                                        \
    inline __host__ __device__ pair __hsub2(pair a, pair b)                                                  \
    {                                                                                                        \
        return pair(__hsub(a.x, b.x), __hsub(a.y, b.y));                                                     \
    }                                                                                                        \
    inline __host__ __device__ pair __hmul2(pair a, pair b)                                                  \
    {                                                                                                        \
        return pair(__hmul(a.x, b.x), __hmul(a.y, b.y));                                                     \
    }                                                                                                        \
    inline __host__ __device__ pair __h2div(pair a, pair b)                                                  \
    {                                                                                                        \
        return pair(a.x / b.x, a.y / b.y);                                                                   \
    }                                                                                                        \
    inline __host__ __device__ pair __hneg2(pair a)                                                          \
    {                                                                                                        \
        return pair(-a.x, -a.y);                                                                             \
    }                                                                                                        \
    SIMT_SMALL_OPERATOR(pair, +, __hadd2)                                                                    \
    SIMT_SMALL_OPERATOR(pair, -, __hsub2)                                                                    \
    SIMT_SMALL_OPERATOR(pair, *, __hmul2)                                                                    \
    SIMT_SMALL_OPERATOR(pair, /, __h2div)                                                                    \
    inline __host__ __device__ pair operator-(pair a)                                                        \
    {                                                                                                        \
        return __hneg2(a);                                                                                   \
    }                                                                                                        \
    inline __host__ __device__ bool operator==(pair a, pair b)                                               \
    {                                                                                                        \
        return a.x == b.x && a.y == b.y;                                                                     \
    }                                                                                                        \
    inline __host__ __device__ bool operator!=(pair a, pair b)                                               \
    {                                                                                                        \
        return a.x != b.x && a.y != b.y;                                                                     \
    }                                                                                                        \
    SIMT_SMALL_OF_TWO(type, pair, __hmax, __hmax2, x != x ? y : y != y || x > y ? x : y)                     \
    SIMT_SMALL_OF_TWO(type, pair, __hmin, __hmin2, x != x ? y : y != y || x < y ? x : y)                     \
    SIMT_SMALL_OF_THREE(type, pair, __hfma, __hfma2,                                                         \
                        type(simt::__small_float_sum((double)(float)a *(float)b + (float)c)))                \
    SIMT_SMALL_OF_ONE(inline __host__ __device__, type, pair, __habs, __habs2, __builtin_fabsf(x))           \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hexp, h2exp, expf(x))                                   \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hexp2, h2exp2, exp2f(x))                                \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hlog, h2log, logf(x))                                   \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hlog2, h2log2, log2f(x))                                \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hlog10, h2log10, log10f(x))                             \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hsqrt, h2sqrt, sqrtf(x))                                \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hrsqrt, h2rsqrt, 1 / sqrtf(x))                          \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hrcp, h2rcp, 1 / x)                                     \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hsin, h2sin, sinf(x))                                   \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hcos, h2cos, cosf(x))                                   \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, htanh, h2tanh, tanhf(x))                                \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hceil, h2ceil, ceilf(x))                                \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hfloor, h2floor, floorf(x))                             \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, htrunc, h2trunc, truncf(x))                             \
    SIMT_SMALL_OF_ONE(inline __device__, type, pair, hrint, h2rint, rintf(x))                                \
    SIMT_SMALL_COMPARES(type, pair, le, <=)                                                                  \
    SIMT_SMALL_COMPARES(type, pair, ge, >=)                                                                  \
    inline __host__ __device__ bool __hne(type a, type b)                                                    \
    {                                                                                                        \
        return a < b || a > b; /* false if one is not a number */                                            \
    }                                                                                                        \
    SIMT_SMALL_COMPARES_PAIRS(type, pair, ne)                                                                \
    SIMT_SMALL_COMPARES_PAIRS(type, pair, eq)                                                                \
    SIMT_SMALL_COMPARES_PAIRS(type, pair, lt)                                                                \
    SIMT_SMALL_COMPARES_PAIRS(type, pair, gt)                                                                \
    inline __host__ __device__ pair __##word##2##word##2(type a)                                             \
    {                                                                                                        \
        return pair(a, a);                                                                                   \
    }                                                                                                        \
    inline __host__ __device__ pair make_##word##2(type a, type b)                                           \
    {                                                                                                        \
        return pair(a, b);                                                                                   \
    }                                                                                                        \
    inline __host__ __device__ pair __float2##word##2_rn(float a)                                            \
    {                                                                                                        \
        return pair(type(a), type(a));                                                                       \
    }                                                                                                        \
    inline __host__ __device__ pair __low2##word##2(pair a)                                                  \
    {                                                                                                        \
        return pair(a.x, a.x);                                                                               \
    }                                                                                                        \
    inline __host__ __device__ pair __high2##word##2(pair a)                                                 \
    {                                                                                                        \
        return pair(a.y, a.y);                                                                               \
    }                                                                                                        \
    inline __host__ __device__ pair __lows2##word##2(pair a, pair b)                                         \
    {                                                                                                        \
        return pair(a.x, b.x);                                                                               \
    }                                                                                                        \
    inline __host__ __device__ pair __highs2##word##2(pair a, pair b)                                        \
    {                                                                                                        \
        return pair(a.y, b.y);                                                                               \
    }                                                                                                        \
    inline __host__ __device__ pair __lowhigh2highlow(pair a)                                                \
    {                                                                                                        \
        return pair(a.y, a.x);                                                                               \
    }                                                                                                        \
    inline __host__ __device__ int __hisinf(type a)                                                          \
    {                                                                                                        \
        return __builtin_isinf((float)a) ? (float)a < 0 ? -1 : 1 : 0;                                        \
    }                                                                                                        \
    SIMT_SMALL_INTEGER(type, word, int, int)                                                                 \
    SIMT_SMALL_INTEGER(type, word, uint, unsigned int)                                                       \
    SIMT_SMALL_INTEGER(type, word, short, short)                                                             \
    SIMT_SMALL_INTEGER(type, word, ushort, unsigned short)                                                   \
    SIMT_SMALL_INTEGER(type, word, ll, long long)                                                            \
    SIMT_SMALL_INTEGER(type, word, ull, unsigned long long)

#endif
