/* wrapping.c: functions that g++ calls in builds for proofs only, under its names for them.
 *
 * memset: -ftrivial-auto-var-init fills each variable that nothing has set, and calls memset for an array of some
 * kilobytes, whatever name a header has given to memset. Such a fill is no access of the program, so the device must not
 * see it. This memset fills only memory of the stack.
 *
 * Signed arithmetic that wraps around, which g++ -ftrapv calls:
 * Builds for proofs are compiled with -ftrapv, so that g++ leaves each signed operation as it is written, and check most of
 * them for an overflow. The others are those that g++ has proved not to overflow, or has made itself: differences of
 * addresses, for example. For some of these it calls a function, and libgcc's functions end the program. Each library of
 * such a build contains these instead, hidden, so they are not called by name at run time. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { STACK_BYTES = 8 << 20 };

/* Without the option, g++ would make a call of memset of the loop. */
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(void *to, int value, size_t bytes);
void *memset(void *to, int value, size_t bytes)
{
    const uintptr_t above = (uintptr_t)to - (uintptr_t)__builtin_frame_address(0);
    if (above >= STACK_BYTES || bytes > STACK_BYTES - above)
        abort();
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = (unsigned char)value;
    return to;
}

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
