/* cuComplex.h: complex numbers of float and double, for kernels and host code. C and C++. */
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H

#include "vector_types.h"
#include "vector_functions.h"
#include <math.h>

#define SIMT_COMPLEX static inline __attribute__((unused)) /* of one side */
#if defined __SIMT__ && defined __cplusplus
#define SIMT_COMPLEX_FUNCTION __host__ __device__ SIMT_COMPLEX
#else
#define SIMT_COMPLEX_FUNCTION SIMT_COMPLEX
#endif

/* The quotient by Smith's method, which does not overflow where the quotient does not. */
#define SIMT_COMPLEX_TYPE(of, tail, Complex, vector, magnitude)                                              \
    typedef vector Complex;                                                                                  \
    SIMT_COMPLEX_FUNCTION Complex make_##Complex(of r, of i)                                                 \
    {                                                                                                        \
        Complex made;                                                                                        \
        made.x = r;                                                                                          \
        made.y = i;                                                                                          \
        return made;                                                                                         \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION of cuCreal##tail(Complex x)                                                        \
    {                                                                                                        \
        return x.x;                                                                                          \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION of cuCimag##tail(Complex x)                                                        \
    {                                                                                                        \
        return x.y;                                                                                          \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION Complex cuConj##tail(Complex x)                                                    \
    {                                                                                                        \
        return make_##Complex(x.x, -x.y);                                                                    \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION Complex cuCadd##tail(Complex x, Complex y)                                         \
    {                                                                                                        \
        return make_##Complex(x.x + y.x, x.y + y.y);                                                         \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION Complex cuCsub##tail(Complex x, Complex y)                                         \
    {                                                                                                        \
        return make_##Complex(x.x - y.x, x.y - y.y);                                                         \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION Complex cuCmul##tail(Complex x, Complex y)                                         \
    {                                                                                                        \
        return make_##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                 \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION Complex cuCdiv##tail(Complex x, Complex y)                                         \
    {                                                                                                        \
        const of scale = (of)1 / ((y.x < 0 ? -y.x : y.x) + (y.y < 0 ? -y.y : y.y));                          \
        const of a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                         \
        const of inverse = (of)1 / (c * c + d * d);                                                          \
        return make_##Complex((a * c + b * d) * inverse, (b * c - a * d) * inverse);                         \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION of cuCabs##tail(Complex x)                                                         \
    {                                                                                                        \
        return magnitude(x.x, x.y);                                                                          \
    }                                                                                                        \
    SIMT_COMPLEX_FUNCTION Complex cuCfma##tail(Complex x, Complex y, Complex d)                              \
    {                                                                                                        \
        return cuCadd##tail(cuCmul##tail(x, y), d);                                                          \
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
