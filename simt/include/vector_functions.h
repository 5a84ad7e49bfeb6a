/* vector_functions.h: make_char1 ... make_double4. C and C++. */
#ifndef SIMT_VECTOR_FUNCTIONS_H
#define SIMT_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define SIMT_MAKE static inline __attribute__((__always_inline__, __unused__))

#define SIMT_MAKE_VECTORS(name, type)                                                                        \
    SIMT_MAKE name##1 make_##name##1(type x)                                                                 \
    {                                                                                                        \
        name##1 __vector_type = {x};                                                                         \
        return __vector_type;                                                                                \
    }                                                                                                        \
    SIMT_MAKE name##2 make_##name##2(type x, type y)                                                         \
    {                                                                                                        \
        name##2 __vector_type = {x, y};                                                                      \
        return __vector_type;                                                                                \
    }                                                                                                        \
    SIMT_MAKE name##3 make_##name##3(type x, type y, type z)                                                 \
    {                                                                                                        \
        name##3 __vector_type = {x, y, z};                                                                   \
        return __vector_type;                                                                                \
    }                                                                                                        \
    SIMT_MAKE name##4 make_##name##4(type x, type y, type z, type w)                                         \
    {                                                                                                        \
        name##4 __vector_type = {x, y, z, w};                                                                \
        return __vector_type;                                                                                \
    }

SIMT_MAKE_VECTORS(char, signed char)
SIMT_MAKE_VECTORS(uchar, unsigned char)
SIMT_MAKE_VECTORS(short, short)
SIMT_MAKE_VECTORS(ushort, unsigned short)
SIMT_MAKE_VECTORS(int, int)
SIMT_MAKE_VECTORS(uint, unsigned int)
SIMT_MAKE_VECTORS(long, long int)
SIMT_MAKE_VECTORS(ulong, unsigned long int)
SIMT_MAKE_VECTORS(longlong, long long int)
SIMT_MAKE_VECTORS(ulonglong, unsigned long long int)
SIMT_MAKE_VECTORS(float, float)
SIMT_MAKE_VECTORS(double, double)

#define SIMT_MAKE_VECTOR_OF_32_BYTES(name, type)                                                             \
    SIMT_MAKE name make_##name(type x, type y, type z, type w)                                               \
    {                                                                                                        \
        name __vector_type = {x, y, z, w};                                                                   \
        return __vector_type;                                                                                \
    }

SIMT_MAKE_VECTOR_OF_32_BYTES(long4_16a, long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(long4_32a, long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(ulong4_16a, unsigned long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(ulong4_32a, unsigned long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(longlong4_16a, long long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(longlong4_32a, long long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(ulonglong4_16a, unsigned long long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(ulonglong4_32a, unsigned long long int)
SIMT_MAKE_VECTOR_OF_32_BYTES(double4_16a, double)
SIMT_MAKE_VECTOR_OF_32_BYTES(double4_32a, double)

#undef SIMT_MAKE
#undef SIMT_MAKE_VECTORS
#undef SIMT_MAKE_VECTOR_OF_32_BYTES

#endif
