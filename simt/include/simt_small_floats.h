/* simt_small_floats.h: 16-bit floating-point numbers as they are stored. C++, internal to cuda_fp16.h and
 * cuda_bf16.h.
 *
 * Arithmetic converts to float, computes, and rounds the result once to the nearest number, with ties to even. */
#ifndef SIMT_SMALL_FLOATS_H
#define SIMT_SMALL_FLOATS_H

namespace simt
{

/* Returns the float's sign, exponent and fraction in 16 bits. FRACTION is the number of fraction bits: 10 for half,
 * whose exponent has 5 bits, or 7 for bfloat16, whose exponent has as many bits as a float's. */
template <int __FRACTION> inline __host__ __device__ unsigned short __small_float_of(float value)
{
    const int __exponent_bits = 15 - __FRACTION, __bias = (1 << (__exponent_bits - 1)) - 1;
    const int __largest = (1 << __exponent_bits) - 1; /* the exponent of infinity */
    const unsigned __bits = __builtin_bit_cast(unsigned, value);
    const unsigned sign = __bits >> 16 & 0x8000u, __fraction = __bits & 0x7fffffu;
    int exponent = (int)(__bits >> 23 & 0xff);

    if (exponent == 0xff)
        return (unsigned short)(__fraction ? 0x7fffu : sign | (unsigned)__largest << __FRACTION);
    exponent += __bias - 127;
    unsigned __whole = __fraction | 0x800000u; /* with the leading bit */
    int __dropped = 23 - __FRACTION;
    if (exponent <= 0) { /* below the smallest normal number, fewer bits remain */
        __dropped += 1 - exponent;
        exponent = 0;
        if ((__bits >> 23 & 0xff) == 0) /* a subnormal float has no leading bit */
            __whole = __fraction, __dropped -= __exponent_bits == 8;
        if (__dropped > 24)
            return (unsigned short)sign;
    }
    unsigned __kept = __whole >> __dropped;
    const unsigned __rest = __whole & ((1u << __dropped) - 1), half = 1u << (__dropped - 1);
    __kept += __rest > half || (__rest == half && (__kept & 1));
    if (exponent > 0)
        __kept += (unsigned)(exponent - 1)
                  << __FRACTION; /* the leading bit, and a carry, each add one to the exponent */
    if (__kept >= (unsigned)__largest << __FRACTION)
        __kept = (unsigned)__largest << __FRACTION;
    return (unsigned short)(sign | __kept);
}

template <int __FRACTION> inline __host__ __device__ float __float_of_small(unsigned short __bits)
{
    const int __exponent_bits = 15 - __FRACTION, __bias = (1 << (__exponent_bits - 1)) - 1;
    const unsigned __largest = (1u << __exponent_bits) - 1;
    const unsigned sign = (unsigned)(__bits & 0x8000) << 16;
    const unsigned exponent = __bits >> __FRACTION & __largest,
                   __fraction = __bits & ((1u << __FRACTION) - 1);

    if (exponent == __largest)
        return __builtin_bit_cast(float, sign | 0x7f800000u | __fraction << (23 - __FRACTION));
    if (exponent == 0) { /* zero or a subnormal number: a multiple of the smallest number */
        const float __least = __builtin_bit_cast(float, __FRACTION == 10 ? 0x33800000u : 0x00010000u);
        return (sign ? -1.0f : 1.0f) * (float)__fraction * __least;
    }
    return __builtin_bit_cast(float,
                              sign | (exponent + 127 - __bias) << 23 | __fraction << (23 - __FRACTION));
}

} // namespace simt

/* Defines a 16-bit type, its pair, their C++ operators, and CUDA's functions, whose names use `word` for the type. */
#define SIMT_SMALL_FLOAT(type, pair, __fraction, word)                                                       \
    struct type {                                                                                            \
        unsigned short __x;                                                                                  \
        type() = default;                                                                                    \
        __host__ __device__ type(float value) : __x(simt::__small_float_of<__fraction>(value))               \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ type(double value) : type((float)value)                                          \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ type(int value) : type((float)value)                                             \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ operator float() const                                                           \
        {                                                                                                    \
            return simt::__float_of_small<__fraction>(__x);                                                  \
        }                                                                                                    \
        __host__ __device__ type &operator+=(type __other)                                                   \
        {                                                                                                    \
            return *this = type((float)*this + (float)__other);                                              \
        }                                                                                                    \
        __host__ __device__ type &operator-=(type __other)                                                   \
        {                                                                                                    \
            return *this = type((float)*this - (float)__other);                                              \
        }                                                                                                    \
        __host__ __device__ type &operator*=(type __other)                                                   \
        {                                                                                                    \
            return *this = type((float)*this * (float)__other);                                              \
        }                                                                                                    \
        __host__ __device__ type &operator/=(type __other)                                                   \
        {                                                                                                    \
            return *this = type((float)*this / (float)__other);                                              \
        }                                                                                                    \
    };                                                                                                       \
    struct __align__(4) pair                                                                                 \
    {                                                                                                        \
        type x, y;                                                                                           \
        pair() = default;                                                                                    \
        __host__ __device__ pair(type first, type second) : x(first), y(second)                              \
        {                                                                                                    \
        }                                                                                                    \
    };                                                                                                       \
    inline __host__ __device__ type operator+(type a, type b)                                                \
    {                                                                                                        \
        return type((float)a + (float)b);                                                                    \
    }                                                                                                        \
    inline __host__ __device__ type operator-(type a, type b)                                                \
    {                                                                                                        \
        return type((float)a - (float)b);                                                                    \
    }                                                                                                        \
    inline __host__ __device__ type operator*(type a, type b)                                                \
    {                                                                                                        \
        return type((float)a * (float)b);                                                                    \
    }                                                                                                        \
    inline __host__ __device__ type operator/(type a, type b)                                                \
    {                                                                                                        \
        return type((float)a / (float)b);                                                                    \
    }                                                                                                        \
    inline __host__ __device__ type operator-(type a)                                                        \
    {                                                                                                        \
        return type(-(float)a);                                                                              \
    }                                                                                                        \
    inline __host__ __device__ bool operator==(type a, type b)                                               \
    {                                                                                                        \
        return (float)a == (float)b;                                                                         \
    }                                                                                                        \
    inline __host__ __device__ bool operator!=(type a, type b)                                               \
    {                                                                                                        \
        return (float)a != (float)b;                                                                         \
    }                                                                                                        \
    inline __host__ __device__ bool operator<(type a, type b)                                                \
    {                                                                                                        \
        return (float)a < (float)b;                                                                          \
    }                                                                                                        \
    inline __host__ __device__ bool operator>(type a, type b)                                                \
    {                                                                                                        \
        return (float)a > (float)b;                                                                          \
    }                                                                                                        \
    inline __host__ __device__ bool operator<=(type a, type b)                                               \
    {                                                                                                        \
        return (float)a <= (float)b;                                                                         \
    }                                                                                                        \
    inline __host__ __device__ bool operator>=(type a, type b)                                               \
    {                                                                                                        \
        return (float)a >= (float)b;                                                                         \
    }                                                                                                        \
    inline __host__ __device__ type __hadd(type a, type b)                                                   \
    {                                                                                                        \
        return a + b;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ type __hsub(type a, type b)                                                   \
    {                                                                                                        \
        return a - b;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ type __hmul(type a, type b)                                                   \
    {                                                                                                        \
        return a * b;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ type __hdiv(type a, type b)                                                   \
    {                                                                                                        \
        return a / b;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ type __hneg(type a)                                                           \
    {                                                                                                        \
        return -a;                                                                                           \
    }                                                                                                        \
    inline __host__ __device__ bool __heq(type a, type b)                                                    \
    {                                                                                                        \
        return a == b;                                                                                       \
    }                                                                                                        \
    inline __host__ __device__ bool __hlt(type a, type b)                                                    \
    {                                                                                                        \
        return a < b;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ bool __hgt(type a, type b)                                                    \
    {                                                                                                        \
        return a > b;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ bool __hisnan(type a)                                                         \
    {                                                                                                        \
        return (float)a != (float)a;                                                                         \
    }                                                                                                        \
    inline __host__ __device__ type __float2##word(float value)                                              \
    {                                                                                                        \
        return type(value);                                                                                  \
    }                                                                                                        \
    inline __host__ __device__ type __float2##word##_rn(float value)                                         \
    {                                                                                                        \
        return type(value);                                                                                  \
    }                                                                                                        \
    inline __host__ __device__ type __double2##word(double value)                                            \
    {                                                                                                        \
        return type(value);                                                                                  \
    }                                                                                                        \
    inline __host__ __device__ float __##word##2float(type value)                                            \
    {                                                                                                        \
        return value;                                                                                        \
    }                                                                                                        \
    inline __host__ __device__ pair __floats2##word##2_rn(float first, float second)                         \
    {                                                                                                        \
        return pair(type(first), type(second));                                                              \
    }                                                                                                        \
    inline __host__ __device__ pair __float22##word##2_rn(float2 __both)                                     \
    {                                                                                                        \
        return pair(type(__both.x), type(__both.y));                                                         \
    }                                                                                                        \
    inline __host__ __device__ float2 __##word##22float2(pair __both)                                        \
    {                                                                                                        \
        return float2{__both.x, __both.y};                                                                   \
    }                                                                                                        \
    inline __host__ __device__ pair __halves2##word##2(type first, type second)                              \
    {                                                                                                        \
        return pair(first, second);                                                                          \
    }                                                                                                        \
    inline __host__ __device__ type __low2##word(pair __both)                                                \
    {                                                                                                        \
        return __both.x;                                                                                     \
    }                                                                                                        \
    inline __host__ __device__ type __high2##word(pair __both)                                               \
    {                                                                                                        \
        return __both.y;                                                                                     \
    }                                                                                                        \
    inline __host__ __device__ float __low2float(pair __both)                                                \
    {                                                                                                        \
        return __both.x;                                                                                     \
    }                                                                                                        \
    inline __host__ __device__ float __high2float(pair __both)                                               \
    {                                                                                                        \
        return __both.y;                                                                                     \
    }                                                                                                        \
    inline __host__ __device__ unsigned short __##word##_as_ushort(type value)                               \
    {                                                                                                        \
        return value.__x;                                                                                    \
    }                                                                                                        \
    inline __host__ __device__ type __ushort_as_##word(unsigned short __bits)                                \
    {                                                                                                        \
        type value;                                                                                          \
        value.__x = __bits;                                                                                  \
        return value;                                                                                        \
    }

#endif
