/* wrapping.c: signed arithmetic that wraps around, under the names by which g++ -ftrapv calls it.
 *
 * Builds for proofs are compiled with -ftrapv, so that g++ leaves each signed operation as it is written, and check most of
 * them for an overflow. The others are those that g++ has proved not to overflow, or has made itself: differences of
 * addresses, for example. For some of these it calls a function, and libgcc's functions end the program. Each library of
 * such a build contains these instead, hidden, so they are not called by name at run time. */
#include <stdint.h>

#define WRAPPING(name, operator, suffix, type)                                                               \
    type##_t __##name##v##suffix##3(type##_t left, type##_t right);                                          \
    type##_t __##name##v##suffix##3(type##_t left, type##_t right)                                           \
    {                                                                                                        \
        return (type##_t)((u##type##_t)left operator(u##type##_t) right);                                    \
    }
#define NEGATION(suffix, type)                                                                               \
    type##_t __negv##suffix##2(type##_t value);                                                              \
    type##_t __negv##suffix##2(type##_t value)                                                               \
    {                                                                                                        \
        return (type##_t) - (u##type##_t)value;                                                              \
    }
WRAPPING(add, +, si, int32)
WRAPPING(add, +, di, int64)
WRAPPING(sub, -, si, int32)
WRAPPING(sub, -, di, int64)
WRAPPING(mul, *, si, int32)
WRAPPING(mul, *, di, int64)
NEGATION(si, int32)
NEGATION(di, int64)
