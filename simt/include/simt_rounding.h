/* simt_rounding.h: arithmetic that rounds towards zero (_rz), up (_ru) or down (_rd). C++, internal to cuda_runtime.h.
 * That which rounds to the nearest (_rn) is in simt_math.h and simt_intrinsics.h. */
#ifndef SIMT_ROUNDING_H
#define SIMT_ROUNDING_H

#include "simt_intrinsics.h"
#include "simt_rounding_api.h"

#define SIMT_ROUNDED_2(name, type, __by, __operation, tail, __rounding)                                      \
    SIMT_DEVICE_INLINE type name##_##tail(type x, type y)                                                    \
    {                                                                                                        \
        return __by(__operation, __rounding, x, y, 0);                                                       \
    }
#define SIMT_ROUNDED_ROOT(name, type, __by, tail, __rounding)                                                \
    SIMT_DEVICE_INLINE type name##_##tail(type x)                                                            \
    {                                                                                                        \
        return __by(SIMT_ROOT, __rounding, x, 0, 0);                                                         \
    }
#define SIMT_ROUNDED_INVERSE(name, type, __by, tail, __rounding)                                             \
    SIMT_DEVICE_INLINE type name##_##tail(type x)                                                            \
    {                                                                                                        \
        return __by(SIMT_DIVIDE, __rounding, 1, x, 0);                                                       \
    }
#define SIMT_ROUNDED_FUSED(name, type, __by, tail, __rounding)                                               \
    SIMT_DEVICE_INLINE type name##_##tail(type x, type y, type z)                                            \
    {                                                                                                        \
        return __by(SIMT_FUSED, __rounding, x, y, z);                                                        \
    }
#define SIMT_CONVERTED(name, from, to, __by, tail, __rounding)                                               \
    SIMT_DEVICE_INLINE to name##_##tail(from x)                                                              \
    {                                                                                                        \
        return __by(__rounding, x);                                                                          \
    }

#define SIMT_ROUNDED(tail, __rounding)                                                                       \
    SIMT_ROUNDED_2(__fadd, float, simt_round_f32, SIMT_ADD, tail, __rounding)                                \
    SIMT_ROUNDED_2(__fsub, float, simt_round_f32, SIMT_SUBTRACT, tail, __rounding)                           \
    SIMT_ROUNDED_2(__fmul, float, simt_round_f32, SIMT_MULTIPLY, tail, __rounding)                           \
    SIMT_ROUNDED_2(__fdiv, float, simt_round_f32, SIMT_DIVIDE, tail, __rounding)                             \
    SIMT_ROUNDED_ROOT(__fsqrt, float, simt_round_f32, tail, __rounding)                                      \
    SIMT_ROUNDED_INVERSE(__frcp, float, simt_round_f32, tail, __rounding)                                    \
    SIMT_ROUNDED_FUSED(__fmaf, float, simt_round_f32, tail, __rounding)                                      \
    SIMT_ROUNDED_2(__dadd, double, simt_round_f64, SIMT_ADD, tail, __rounding)                               \
    SIMT_ROUNDED_2(__dsub, double, simt_round_f64, SIMT_SUBTRACT, tail, __rounding)                          \
    SIMT_ROUNDED_2(__dmul, double, simt_round_f64, SIMT_MULTIPLY, tail, __rounding)                          \
    SIMT_ROUNDED_2(__ddiv, double, simt_round_f64, SIMT_DIVIDE, tail, __rounding)                            \
    SIMT_ROUNDED_ROOT(__dsqrt, double, simt_round_f64, tail, __rounding)                                     \
    SIMT_ROUNDED_INVERSE(__drcp, double, simt_round_f64, tail, __rounding)                                   \
    SIMT_ROUNDED_FUSED(__fma, double, simt_round_f64, tail, __rounding)                                      \
    SIMT_CONVERTED(__double2float, double, float, simt_round_double_f32, tail, __rounding)                   \
    SIMT_CONVERTED(__int2float, int, float, simt_round_signed_f32, tail, __rounding)                         \
    SIMT_CONVERTED(__uint2float, unsigned, float, simt_round_unsigned_f32, tail, __rounding)                 \
    SIMT_CONVERTED(__ll2float, long long, float, simt_round_signed_f32, tail, __rounding)                    \
    SIMT_CONVERTED(__ull2float, unsigned long long, float, simt_round_unsigned_f32, tail, __rounding)        \
    SIMT_CONVERTED(__ll2double, long long, double, simt_round_signed_f64, tail, __rounding)                  \
    SIMT_CONVERTED(__ull2double, unsigned long long, double, simt_round_unsigned_f64, tail, __rounding)

SIMT_ROUNDED(rz, SIMT_TO_ZERO)
SIMT_ROUNDED(ru, SIMT_UP)
SIMT_ROUNDED(rd, SIMT_DOWN)

#undef SIMT_ROUNDED
#undef SIMT_ROUNDED_2
#undef SIMT_ROUNDED_ROOT
#undef SIMT_ROUNDED_INVERSE
#undef SIMT_ROUNDED_FUSED
#undef SIMT_CONVERTED

#endif
