/* simt_math.h: the C library's headers that nvcc includes by default, and CUDA's own mathematical functions. C++,
 * internal to cuda_runtime.h. Every function here may be called in host and device code. */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIMT_INLINE static inline __attribute__((__always_inline__, __unused__))

/* ---- min and max, for the pairs of types that CUDA has ------------------------------------------------------ */

#define SIMT_MIN_MAX(result, __left, __right)                                                                \
    SIMT_INLINE result min(__left a, __right b)                                                              \
    {                                                                                                        \
        return (result)a < (result)b ? (result)a : (result)b;                                                \
    }                                                                                                        \
    SIMT_INLINE result max(__left a, __right b)                                                              \
    {                                                                                                        \
        return (result)a > (result)b ? (result)a : (result)b;                                                \
    }

SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(unsigned, unsigned, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)

/* If one operand is NaN, these return the other one, as fmin and fmax do. */
#define SIMT_MIN_MAX_REAL(result, __left, __right)                                                           \
    SIMT_INLINE result min(__left a, __right b)                                                              \
    {                                                                                                        \
        return a != a ? (result)b : b < a ? (result)b : (result)a;                                           \
    }                                                                                                        \
    SIMT_INLINE result max(__left a, __right b)                                                              \
    {                                                                                                        \
        return a != a ? (result)b : b > a ? (result)b : (result)a;                                           \
    }

SIMT_MIN_MAX_REAL(float, float, float)
SIMT_MIN_MAX_REAL(double, double, double)
SIMT_MIN_MAX_REAL(double, float, double)
SIMT_MIN_MAX_REAL(double, double, float)

SIMT_INLINE unsigned umin(unsigned a, unsigned b)
{
    return min(a, b);
}
SIMT_INLINE unsigned umax(unsigned a, unsigned b)
{
    return max(a, b);
}
SIMT_INLINE long long llmin(long long a, long long b)
{
    return min(a, b);
}
SIMT_INLINE long long llmax(long long a, long long b)
{
    return max(a, b);
}
SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return min(a, b);
}
SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return max(a, b);
}

/* ---- functions that C does not have ------------------------------------------------------------------------------ */

/* C23 has these too, and newer C libraries declare them: glibc 2.41 the sines and cosines, 2.42 the roots. So they
 * are templates here: a call with exactly the types of the library's function goes to that function. The result of
 * sinpi, cospi and rsqrt has the argument's type. */
#define SIMT_C23(name, of_x)                                                                                 \
    template <class __T> SIMT_INLINE float name##f(__T __argument)                                           \
    {                                                                                                        \
        const float x = (float)__argument;                                                                   \
        return (float)(of_x);                                                                                \
    }                                                                                                        \
    template <class __T> SIMT_INLINE auto name(__T x)->decltype(x * 1.0f)                                    \
    {                                                                                                        \
        return (decltype(x * 1.0f))(of_x);                                                                   \
    }

SIMT_C23(rsqrt, 1 / sqrt(x))
SIMT_C23(sinpi, ::sin(x *M_PI))
SIMT_C23(cospi, ::cos(x *M_PI))

SIMT_INLINE float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}
SIMT_INLINE double rcbrt(double x)
{
    return 1.0 / ::cbrt(x);
}
SIMT_INLINE float fdividef(float x, float y)
{
    return x / y;
}
SIMT_INLINE float rhypotf(float x, float y)
{
    return 1.0f / hypotf(x, y);
}
SIMT_INLINE double rhypot(double x, double y)
{
    return 1.0 / ::hypot(x, y);
}
SIMT_INLINE float norm3df(float x, float y, float z)
{
    return sqrtf(x * x + y * y + z * z);
}
SIMT_INLINE double norm3d(double x, double y, double z)
{
    return ::sqrt(x * x + y * y + z * z);
}
SIMT_INLINE float normcdff(float x)
{
    return 0.5f * erfcf(-x * (float)M_SQRT1_2);
}
SIMT_INLINE double normcdf(double x)
{
    return 0.5 * ::erfc(-x * M_SQRT1_2);
}

/* ---- fast and rounded forms: here they are exact, and round to nearest ------------------------------------------ */

/* The C library's headers declare these names already, but do not define them. */
extern "C" {
#define SIMT_FAST(name, exact) float name(float x) noexcept(true) __asm__(exact);
SIMT_FAST(__sinf, "sinf")
SIMT_FAST(__cosf, "cosf")
SIMT_FAST(__tanf, "tanf")
SIMT_FAST(__tanhf, "tanhf")
SIMT_FAST(__expf, "expf")
SIMT_FAST(__exp10f, "exp10f")
SIMT_FAST(__logf, "logf")
SIMT_FAST(__log2f, "log2f")
SIMT_FAST(__log10f, "log10f")
#undef SIMT_FAST
float __powf(float x, float y) noexcept(true) __asm__("powf");
void __sincosf(float x, float *__sine, float *__cosine) noexcept(true) __asm__("sincosf");
}
SIMT_INLINE float __fdividef(float x, float y)
{
    return x / y;
}
SIMT_INLINE float __saturatef(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

SIMT_INLINE float __fadd_rn(float x, float y)
{
    return x + y;
}
SIMT_INLINE float __fsub_rn(float x, float y)
{
    return x - y;
}
SIMT_INLINE float __fmul_rn(float x, float y)
{
    return x * y;
}
SIMT_INLINE float __fdiv_rn(float x, float y)
{
    return x / y;
}
SIMT_INLINE float __frcp_rn(float x)
{
    return 1.0f / x;
}
SIMT_INLINE float __fsqrt_rn(float x)
{
    return sqrtf(x);
}
SIMT_INLINE float __frsqrt_rn(float x)
{
    return (float)(1.0 / ::sqrt((double)x));
}
SIMT_INLINE float __fmaf_rn(float x, float y, float z)
{
    return fmaf(x, y, z);
}
SIMT_INLINE double __dadd_rn(double x, double y)
{
    return x + y;
}
SIMT_INLINE double __dsub_rn(double x, double y)
{
    return x - y;
}
SIMT_INLINE double __dmul_rn(double x, double y)
{
    return x * y;
}
SIMT_INLINE double __ddiv_rn(double x, double y)
{
    return x / y;
}
SIMT_INLINE double __drcp_rn(double x)
{
    return 1.0 / x;
}
SIMT_INLINE double __dsqrt_rn(double x)
{
    return ::sqrt(x);
}
SIMT_INLINE double __fma_rn(double x, double y, double z)
{
    return ::fma(x, y, z);
}

#endif
