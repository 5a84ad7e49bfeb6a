/* cuComplex.h: complex numbers of float and double, for kernels and host code. C and C++. */
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H

#include "vector_types.h"
#include "vector_functions.h"
#include <math.h>

#define SIMT_COMPLEX static inline __attribute__((__unused__)) /* of one side */
#if defined __SIMT__ && defined __cplusplus
#define SIMT_COMPLEX_FUNCTION __host__ __device__ SIMT_COMPLEX
#else
#define SIMT_COMPLEX_FUNCTION SIMT_COMPLEX
#endif

/* The quotient by Smith's method, which does not overflow where the quotient does not. */
#define SIMT_COMPLEX_TYPE(of, __tail, __Complex, __vector_type, __magnitude)                                 \
    typedef __vector_type __Complex;                                                                         \
    SIMT_COMPLEX_FUNCTION __Complex make_##__Complex(of r, of i)                                             \
    {                                                                                                        \
        __Complex __made;                                                                                    \
        __made.x = r;                                                                                        \
        __made.y = i;                                                                                        \
        return __made;                                                                                       \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION of cuCreal##__tail(__Complex x)                                                    \
    {                                                                                                        \
        return x.x;                                                                                          \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION of cuCimag##__tail(__Complex x)                                                    \
    {                                                                                                        \
        return x.y;                                                                                          \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION __Complex cuConj##__tail(__Complex x)                                              \
    {                                                                                                        \
        return make_##__Complex(x.x, -x.y);                                                                  \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION __Complex cuCadd##__tail(__Complex x, __Complex y)                                 \
    {                                                                                                        \
        return make_##__Complex(x.x + y.x, x.y + y.y);                                                       \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION __Complex cuCsub##__tail(__Complex x, __Complex y)                                 \
    {                                                                                                        \
        return make_##__Complex(x.x - y.x, x.y - y.y);                                                       \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION __Complex cuCmul##__tail(__Complex x, __Complex y)                                 \
    {                                                                                                        \
        return make_##__Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                               \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION __Complex cuCdiv##__tail(__Complex x, __Complex y)                                 \
    {                                                                                                        \
        const of __scale = (of)1 / ((y.x < 0 ? -y.x : y.x) + (y.y < 0 ? -y.y : y.y));                        \
        const of a = x.x * __scale, b = x.y * __scale, c = y.x * __scale, d = y.y * __scale;                 \
        const of __inverse = (of)1 / (c * c + d * d);                                                        \
        return make_##__Complex((a * c + b * d) * __inverse, (b * c - a * d) * __inverse);                   \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION of cuCabs##__tail(__Complex x)                                                     \
    {                                                                                                        \
        return __magnitude(x.x, x.y);                                                                        \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION __Complex cuCfma##__tail(__Complex x, __Complex y, __Complex d)                    \
    {                                                                                                        \
        return cuCadd##__tail(cuCmul##__tail(x, y), d);                                                      \
    }

SIMT_COMPLEX_TYPE(float, f, cuFloatComplex, float2, hypotf)
SIMT_COMPLEX_TYPE(double, , cuDoubleComplex, double2, hypot)

typedef cuFloatComplex cuComplex;
SIMT_COMPLEX_FUNCTION cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
SIMT_COMPLEX_FUNCTION cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return make_cuDoubleComplex((double)c.x, (double)c.y);
}
SIMT_COMPLEX_FUNCTION cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_cuFloatComplex((float)c.x, (float)c.y);
}

#undef SIMT_COMPLEX_TYPE
#undef SIMT_COMPLEX_FUNCTION
#undef SIMT_COMPLEX

#endif
