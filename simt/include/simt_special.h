/* simt_special.h: CUDA's special functions that the C library lacks. C++, internal to cuda_runtime.h. */
#ifndef SIMT_SPECIAL_H
#define SIMT_SPECIAL_H

#include "simt_math.h"

/* erfc(x) = y for 0 < y < 2: a first guess by Winitzki's formula, then Halley's method, which triples the digits each time. */
SIMT_INLINE double erfcinv(double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : NAN;
    const double a = 0.147, __logarithm = ::log(y * (2 - y)), __half = 2 / (M_PI * a) + __logarithm / 2;
    double x = ::sqrt(::sqrt(__half * __half - __logarithm / a) - __half);
    x = y > 1 ? -x : x;
    for (int __i = 0; __i < 4; __i++) {
        const double __step = (::erfc(x) - y) / (M_2_SQRTPI * ::exp(-x * x));
        x += __step / (1 - x * __step);
    }
    return x;
}
SIMT_INLINE double erfinv(double y)
{
    if (::fabs(y) > 0.5)
        return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
    double x = y / M_2_SQRTPI;
    for (int __i = 0; __i < 6; __i++) {
        const double __step = (::erf(x) - y) / (M_2_SQRTPI * ::exp(-x * x));
        x -= __step / (1 + x * __step);
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
    const double __square = 1 / (2 * x * x);
    return M_2_SQRTPI / 2 / x *
           (1 - __square * (1 - 3 * __square * (1 - 5 * __square * (1 - 7 * __square * (1 - 9 * __square)))));
}

/* The modified Bessel function of order n, by its series. */
SIMT_INLINE double simt_bessel_i(int n, double x)
{
    double __term = n ? x / 2 : 1, __sum = __term;
    for (int __k = 1; __k < 2000 && ::fabs(__term) > ::fabs(__sum) * 1e-18; __k++) {
        __term *= x * x / 4 / __k / (__k + n);
        __sum += __term;
    }
    return __sum;
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
template <class __T> SIMT_INLINE __T simt_norm(int __dimensions, const __T *x)
{
    double length = 0;
    for (int __i = 0; __i < __dimensions; __i++)
        length = ::hypot(length, (double)x[__i]);
    return (__T)length;
}
SIMT_INLINE double norm(int __dimensions, const double *x)
{
    return simt_norm(__dimensions, x);
}
SIMT_INLINE double rnorm(int __dimensions, const double *x)
{
    return 1 / simt_norm(__dimensions, x);
}
SIMT_INLINE float normf(int __dimensions, const float *x)
{
    return simt_norm(__dimensions, x);
}
SIMT_INLINE float rnormf(int __dimensions, const float *x)
{
    return 1 / simt_norm(__dimensions, x);
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
