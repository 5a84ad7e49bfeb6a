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
template <int FRACTION> inline __host__ __device__ unsigned short small_float_of(float value)
{
    const int exponent_bits = 15 - FRACTION, bias = (1 << (exponent_bits - 1)) - 1;
    const int largest = (1 << exponent_bits) - 1; /* the exponent of infinity */
    const unsigned bits = __builtin_bit_cast(unsigned, value);
    const unsigned sign = bits >> 16 & 0x8000u, fraction = bits & 0x7fffffu;
    int exponent = (int)(bits >> 23 & 0xff);

    if (exponent == 0xff)
        return (unsigned short)(fraction ? 0x7fffu : sign | (unsigned)largest << FRACTION);
    exponent += bias - 127;
    unsigned whole = fraction | 0x800000u; /* with the leading bit */
    int dropped = 23 - FRACTION;
    if (exponent <= 0) { /* below the smallest normal number, fewer bits remain */
        dropped += 1 - exponent;
        exponent = 0;
        if ((bits >> 23 & 0xff) == 0) /* a subnormal float has no leading bit */
            whole = fraction, dropped -= exponent_bits == 8;
        if (dropped > 24)
            return (unsigned short)sign;
    }
    unsigned kept = whole >> dropped;
    const unsigned rest = whole & ((1u << dropped) - 1), half = 1u << (dropped - 1);
    kept += rest > half || (rest == half && (kept & 1));
    if (exponent > 0)
        kept += (unsigned)(exponent - 1)
                << FRACTION; /* the leading bit, and a carry, each add one to the exponent */
    if (kept >= (unsigned)largest << FRACTION)
        kept = (unsigned)largest << FRACTION;
    return (unsigned short)(sign | kept);
}

template <int FRACTION> inline __host__ __device__ float float_of_small(unsigned short bits)
{
    const int exponent_bits = 15 - FRACTION, bias = (1 << (exponent_bits - 1)) - 1;
    const unsigned largest = (1u << exponent_bits) - 1;
    const unsigned sign = (unsigned)(bits & 0x8000) << 16;
    const unsigned exponent = bits >> FRACTION & largest, fraction = bits & ((1u << FRACTION) - 1);

    if (exponent == largest)
        return __builtin_bit_cast(float, sign | 0x7f800000u | fraction << (23 - FRACTION));
    if (exponent == 0) { /* zero or a subnormal number: a multiple of the smallest number */
        const float least = __builtin_bit_cast(float, FRACTION == 10 ? 0x33800000u : 0x00010000u);
        return (sign ? -1.0f : 1.0f) * (float)fraction * least;
    }
    return __builtin_bit_cast(float, sign | (exponent + 127 - bias) << 23 | fraction << (23 - FRACTION));
}

} // namespace simt

/* Defines a 16-bit type, its pair, their C++ operators, and CUDA's functions, whose names use `word` for the type. */
#define SIMT_SMALL_FLOAT(type, pair, fraction, word)                                                         \
    struct type {                                                                                            \
        unsigned short __x;                                                                                  \
        type() = default;                                                                                    \
        __host__ __device__ type(float value) : __x(simt::small_float_of<fraction>(value))                   \
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
            return simt::float_of_small<fraction>(__x);                                                      \
        }                                                                                                    \
        __host__ __device__ type &operator+=(type other)                                                     \
        {                                                                                                    \
            return *this = type((float)*this + (float)other);                                                \
        }                                                                                                    \
        __host__ __device__ type &operator-=(type other)                                                     \
        {                                                                                                    \
            return *this = type((float)*this - (float)other);                                                \
        }                                                                                                    \
        __host__ __device__ type &operator*=(type other)                                                     \
        {                                                                                                    \
            return *this = type((float)*this * (float)other);                                                \
        }                                                                                                    \
        __host__ __device__ type &operator/=(type other)                                                     \
        {                                                                                                    \
            return *this = type((float)*this / (float)other);                                                \
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
    inline __host__ __device__ pair __float22##word##2_rn(float2 both)                                       \
    {                                                                                                        \
        return pair(type(both.x), type(both.y));                                                             \
    }                                                                                                        \
    inline __host__ __device__ float2 __##word##22float2(pair both)                                          \
    {                                                                                                        \
        return float2{both.x, both.y};                                                                       \
    }                                                                                                        \
    inline __host__ __device__ pair __halves2##word##2(type first, type second)                              \
    {                                                                                                        \
        return pair(first, second);                                                                          \
    }                                                                                                        \
    inline __host__ __device__ type __low2##word(pair both)                                                  \
    {                                                                                                        \
        return both.x;                                                                                       \
    }                                                                                                        \
    inline __host__ __device__ type __high2##word(pair both)                                                 \
    {                                                                                                        \
        return both.y;                                                                                       \
    }                                                                                                        \
    inline __host__ __device__ float __low2float(pair both)                                                  \
    {                                                                                                        \
        return both.x;                                                                                       \
    }                                                                                                        \
    inline __host__ __device__ float __high2float(pair both)                                                 \
    {                                                                                                        \
        return both.y;                                                                                       \
    }                                                                                                        \
    inline __host__ __device__ unsigned short __##word##_as_ushort(type value)                               \
    {                                                                                                        \
        return value.__x;                                                                                    \
    }                                                                                                        \
    inline __host__ __device__ type __ushort_as_##word(unsigned short bits)                                  \
    {                                                                                                        \
        type value;                                                                                          \
        value.__x = bits;                                                                                    \
        return value;                                                                                        \
    }

#endif
