/* Arithmetic that rounds in a given direction, for kernels: by the processor's own rounding mode. */
#include "include/simt_rounding_api.h"

#include <fenv.h>
#include <math.h>

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

/* Operands and results are volatile, so that the operation is not moved away from between the two changes of mode. */
#define ROUNDED(type, name, fused, root)                                                                     \
    type name(enum simt_arithmetic operation, enum simt_rounding rounding, type a, type b, type c)           \
    {                                                                                                        \
        volatile type x = a, y = b, z = c, result;                                                           \
        fesetround(modes[rounding]);                                                                         \
        switch (operation) {                                                                                 \
        case SIMT_ADD:                                                                                       \
            result = x + y;                                                                                  \
            break;                                                                                           \
        case SIMT_SUBTRACT:                                                                                  \
            result = x - y;                                                                                  \
            break;                                                                                           \
        case SIMT_MULTIPLY:                                                                                  \
            result = x * y;                                                                                  \
            break;                                                                                           \
        case SIMT_DIVIDE:                                                                                    \
            result = x / y;                                                                                  \
            break;                                                                                           \
        case SIMT_ROOT:                                                                                      \
            result = root(x);                                                                                \
            break;                                                                                           \
        default:                                                                                             \
            result = fused(x, y, z);                                                                         \
        }                                                                                                    \
        fesetround(FE_TONEAREST);                                                                            \
        return result;                                                                                       \
    }

ROUNDED(float, simt_round_f32, fmaf, sqrtf)
ROUNDED(double, simt_round_f64, fma, sqrt)

#define CONVERTED(from, to, name)                                                                            \
    to name(enum simt_rounding rounding, from a)                                                             \
    {                                                                                                        \
        volatile from x = a;                                                                                 \
        fesetround(modes[rounding]);                                                                         \
        volatile to result = (to)x;                                                                          \
        fesetround(FE_TONEAREST);                                                                            \
        return result;                                                                                       \
    }

CONVERTED(double, float, simt_round_double_f32)
CONVERTED(long long, float, simt_round_signed_f32)
CONVERTED(unsigned long long, float, simt_round_unsigned_f32)
CONVERTED(long long, double, simt_round_signed_f64)
CONVERTED(unsigned long long, double, simt_round_unsigned_f64)
