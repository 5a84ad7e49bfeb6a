/* simt_packed.h: arithmetic of the four bytes or the two halves of a word. C++, internal to cuda_runtime.h. */
#ifndef SIMT_PACKED_H
#define SIMT_PACKED_H

#include "simt_intrinsics.h"

template <class __T> SIMT_INLINE long simt_saturated(long x)
{
    const long __least = (__T)-1 < 0 ? -(1L << (8 * sizeof(__T) - 1)) : 0,
               __most = (__T)-1 < 0 ? (1L << (8 * sizeof(__T) - 1)) - 1 : (1L << 8 * sizeof(__T)) - 1;
    return x < __least ? __least : x > __most ? __most : x;
}

/* One part of a word after another: x and y are those of the operands, and the value is cut to a part. Not a template
 * with a lambda expression, because each compilation would instantiate it for all of these functions. */
#define SIMT_PACKED_BODY(a, b, type, value)                                                                  \
    unsigned result = 0;                                                                                     \
    for (unsigned __at = 0; __at < 32; __at += 8 * sizeof(type)) {                                           \
        const long x = (type)((a) >> __at), y = (type)((b) >> __at), __cut = ~0u >> (32 - 8 * sizeof(type)); \
        (void)y;                                                                                             \
        result |= (unsigned)((long)(value)&__cut) << __at;                                                   \
    }                                                                                                        \
    return result;
#define SIMT_PACKED(name, type, value)                                                                       \
    SIMT_DEVICE_INLINE unsigned name(unsigned a, unsigned b)                                                 \
    {                                                                                                        \
        SIMT_PACKED_BODY(a, b, type, value)                                                                  \
    }
#define SIMT_PACKED_ONE(name, type, value)                                                                   \
    SIMT_DEVICE_INLINE unsigned name(unsigned a)                                                             \
    {                                                                                                        \
        SIMT_PACKED_BODY(a, 0u, type, value)                                                                 \
    }
#define SIMT_PACKED_SUM(name, type)                                                                          \
    SIMT_DEVICE_INLINE unsigned name(unsigned a, unsigned b)                                                 \
    {                                                                                                        \
        unsigned __sum = 0;                                                                                  \
        for (unsigned __at = 0; __at < 32; __at += 8 * sizeof(type)) {                                       \
            const long x = (type)(a >> __at), y = (type)(b >> __at);                                         \
            __sum += (unsigned)(x > y ? x - y : y - x);                                                      \
        }                                                                                                    \
        return __sum;                                                                                        \
    }
/* __vcmp: all bits of a part; __vset: its lowest. */
#define SIMT_PACKED_COMPARE(name, parts, type, condition)                                                    \
    SIMT_PACKED(__vcmp##name##parts, type, condition ? -1 : 0)                                               \
    SIMT_PACKED(__vset##name##parts, type, condition ? 1 : 0)

#define SIMT_PACKED_OF(parts, of_signed, of_unsigned)                                                        \
    SIMT_PACKED(__vadd##parts, of_unsigned, x + y)                                                           \
    SIMT_PACKED(__vsub##parts, of_unsigned, x - y)                                                           \
    SIMT_PACKED(__vaddus##parts, of_unsigned, simt_saturated<of_unsigned>(x + y))                            \
    SIMT_PACKED(__vaddss##parts, of_signed, simt_saturated<of_signed>(x + y))                                \
    SIMT_PACKED(__vsubus##parts, of_unsigned, simt_saturated<of_unsigned>(x - y))                            \
    SIMT_PACKED(__vsubss##parts, of_signed, simt_saturated<of_signed>(x - y))                                \
    SIMT_PACKED(__vmaxs##parts, of_signed, x > y ? x : y)                                                    \
    SIMT_PACKED(__vmaxu##parts, of_unsigned, x > y ? x : y)                                                  \
    SIMT_PACKED(__vmins##parts, of_signed, x < y ? x : y)                                                    \
    SIMT_PACKED(__vminu##parts, of_unsigned, x < y ? x : y)                                                  \
    SIMT_PACKED(__vabsdiffs##parts, of_signed, x > y ? x - y : y - x)                                        \
    SIMT_PACKED(__vabsdiffu##parts, of_unsigned, x > y ? x - y : y - x)                                      \
    SIMT_PACKED(__vavgs##parts, of_signed, (x + y + (x + y >= 0)) >> 1)                                      \
    SIMT_PACKED(__vavgu##parts, of_unsigned, (x + y + 1) / 2)                                                \
    SIMT_PACKED(__vhaddu##parts, of_unsigned, (x + y) / 2)                                                   \
    SIMT_PACKED_ONE(__vabs##parts, of_signed, x < 0 ? -x : x)                                                \
    SIMT_PACKED_ONE(__vabsss##parts, of_signed, simt_saturated<of_signed>(x < 0 ? -x : x))                   \
    SIMT_PACKED_ONE(__vneg##parts, of_signed, -x)                                                            \
    SIMT_PACKED_ONE(__vnegss##parts, of_signed, simt_saturated<of_signed>(-x))                               \
    SIMT_PACKED_SUM(__vsads##parts, of_signed)                                                               \
    SIMT_PACKED_SUM(__vsadu##parts, of_unsigned)                                                             \
    SIMT_PACKED_COMPARE(eq, parts, of_unsigned, x == y)                                                      \
    SIMT_PACKED_COMPARE(ne, parts, of_unsigned, x != y)                                                      \
    SIMT_PACKED_COMPARE(ges, parts, of_signed, x >= y)                                                       \
    SIMT_PACKED_COMPARE(geu, parts, of_unsigned, x >= y)                                                     \
    SIMT_PACKED_COMPARE(gts, parts, of_signed, x > y)                                                        \
    SIMT_PACKED_COMPARE(gtu, parts, of_unsigned, x > y)                                                      \
    SIMT_PACKED_COMPARE(les, parts, of_signed, x <= y)                                                       \
    SIMT_PACKED_COMPARE(leu, parts, of_unsigned, x <= y)                                                     \
    SIMT_PACKED_COMPARE(lts, parts, of_signed, x < y)                                                        \
    SIMT_PACKED_COMPARE(ltu, parts, of_unsigned, x < y)

SIMT_PACKED_OF(2, short, unsigned short)
SIMT_PACKED_OF(4, signed char, unsigned char)

#undef SIMT_PACKED_OF
#undef SIMT_PACKED_COMPARE
#undef SIMT_PACKED_SUM
#undef SIMT_PACKED_ONE
#undef SIMT_PACKED
#undef SIMT_PACKED_BODY

#endif
