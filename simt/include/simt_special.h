/* simt_special.h: CUDA's special functions that the C library lacks. C++, internal to cuda_runtime.h. */
#ifndef SIMT_SPECIAL_H
#define SIMT_SPECIAL_H

#include "simt_math.h"

/* erfc(x) = y for 0 < y < 2: a first guess by Winitzki's formula, then Halley's method, which triples the digits each time. */
SIMT_INLINE double erfcinv(double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : NAN;
    const double a = 0.147, logarithm = ::log(y * (2 - y)), half = 2 / (M_PI * a) + logarithm / 2;
    double x = ::sqrt(::sqrt(half * half - logarithm / a) - half);
    x = y > 1 ? -x : x;
    for (int i = 0; i < 4; i++) {
        const double step = (::erfc(x) - y) / (M_2_SQRTPI * ::exp(-x * x));
        x += step / (1 - x * step);
    }
    return x;
}
SIMT_INLINE double erfinv(double y)
{
    if (::fabs(y) > 0.5)
        return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
    double x = y / M_2_SQRTPI;
    for (int i = 0; i < 6; i++) {
        const double step = (::erf(x) - y) / (M_2_SQRTPI * ::exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}
SIMT_INLINE double normcdfinv(double y)
{
    return -M_SQRT2 * erfcinv(2 * y);
}
SIMT_INLINE double erfcx(double x)
{
    if (x < 25)
        return ::exp(x * x) * ::erfc(x);
    const double square = 1 / (2 * x * x);
    return M_2_SQRTPI / 2 / x *
           (1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square * (1 - 9 * square)))));
}

/* The modified Bessel function of order n, by its series. */
SIMT_INLINE double simt_bessel_i(int n, double x)
{
    double term = n ? x / 2 : 1, sum = term;
    for (int k = 1; k < 2000 && ::fabs(term) > ::fabs(sum) * 1e-18; k++) {
        term *= x * x / 4 / k / (k + n);
        sum += term;
    }
    return sum;
}
SIMT_INLINE double cyl_bessel_i0(double x)
{
    return simt_bessel_i(0, x);
}
SIMT_INLINE double cyl_bessel_i1(double x)
{
    return simt_bessel_i(1, x);
}

SIMT_INLINE void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
SIMT_INLINE void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}

SIMT_INLINE double norm4d(double x, double y, double z, double w)
{
    return ::hypot(::hypot(x, y), ::hypot(z, w));
}
SIMT_INLINE double rnorm3d(double x, double y, double z)
{
    return 1 / norm3d(x, y, z);
}
SIMT_INLINE double rnorm4d(double x, double y, double z, double w)
{
    return 1 / norm4d(x, y, z, w);
}
template <class T> SIMT_INLINE T simt_norm(int dimensions, const T *x)
{
    double length = 0;
    for (int i = 0; i < dimensions; i++)
        length = ::hypot(length, (double)x[i]);
    return (T)length;
}
SIMT_INLINE double norm(int dimensions, const double *x)
{
    return simt_norm(dimensions, x);
}
SIMT_INLINE double rnorm(int dimensions, const double *x)
{
    return 1 / simt_norm(dimensions, x);
}
SIMT_INLINE float normf(int dimensions, const float *x)
{
    return simt_norm(dimensions, x);
}
SIMT_INLINE float rnormf(int dimensions, const float *x)
{
    return 1 / simt_norm(dimensions, x);
}

#define SIMT_OF_FLOAT(name)                                                                                  \
    SIMT_INLINE float name##f(float x)                                                                       \
    {                                                                                                        \
        return (float)name((double)x);                                                                       \
    }
SIMT_OF_FLOAT(erfcinv)
SIMT_OF_FLOAT(erfinv)
SIMT_OF_FLOAT(normcdfinv)
SIMT_OF_FLOAT(erfcx)
SIMT_OF_FLOAT(cyl_bessel_i0)
SIMT_OF_FLOAT(cyl_bessel_i1)
#undef SIMT_OF_FLOAT
SIMT_INLINE float norm4df(float x, float y, float z, float w)
{
    return (float)norm4d(x, y, z, w);
}
SIMT_INLINE float rnorm3df(float x, float y, float z)
{
    return (float)rnorm3d(x, y, z);
}
SIMT_INLINE float rnorm4df(float x, float y, float z, float w)
{
    return (float)rnorm4d(x, y, z, w);
}

#endif
