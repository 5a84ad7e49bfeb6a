/* std::atomic and the __atomic builtins of translated code: g++ compiles each operation to a call of these
 * functions. Only host code has them, because nvcc has no std::atomic in kernels. All use the strongest memory
 * order, whichever the program asks for. */
#include "core/access.h"
#include "core/observer.h"

#include <stdint.h>

#define SITE __builtin_return_address(0)

static void touch(const volatile void *address, size_t bytes, unsigned kind, const void *site)
{
    simt_access_atomic((void *)(uintptr_t)address, bytes, kind, site);
}

#define UPDATE(bits, name, builtin)                                                                          \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *at, uint##bits##_t value,           \
                                                int order);                                                  \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *at, uint##bits##_t value,           \
                                                int order)                                                   \
    {                                                                                                        \
        (void)order;                                                                                         \
        touch(at, sizeof *at, ACCESS_WRITE | ACCESS_CHAINED, SITE);                                          \
        return builtin(at, value, __ATOMIC_SEQ_CST);                                                         \
    }

#define COMPARE(bits, name)                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *at, uint##bits##_t *expected, \
                                                      uint##bits##_t value, int order, int failure);         \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *at, uint##bits##_t *expected, \
                                                      uint##bits##_t value, int order, int failure)          \
    {                                                                                                        \
        (void)order, (void)failure;                                                                          \
        simt_access_range(expected, sizeof *expected, ACCESS_READ, SITE);                                    \
        touch(at, sizeof *at, ACCESS_WRITE | ACCESS_CHAINED, SITE);                                          \
        uint##bits##_t found = *expected;                                                                    \
        if (__atomic_compare_exchange_n(at, &found, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))           \
            return 1;                                                                                        \
        simt_access_range(expected, sizeof *expected, ACCESS_WRITE, SITE);                                   \
        *expected = found;                                                                                   \
        return 0;                                                                                            \
    }

#define OPERATIONS(bits)                                                                                     \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order);                 \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order)                  \
    {                                                                                                        \
        (void)order;                                                                                         \
        touch(at, sizeof *at, ACCESS_READ, SITE);                                                            \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value, int order);          \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value, int order)           \
    {                                                                                                        \
        (void)order;                                                                                         \
        touch(at, sizeof *at, ACCESS_WRITE | ACCESS_REPLACE, SITE);                                          \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                        \
    UPDATE(bits, exchange, __atomic_exchange_n)                                                              \
    UPDATE(bits, fetch_add, __atomic_fetch_add)                                                              \
    UPDATE(bits, fetch_sub, __atomic_fetch_sub)                                                              \
    UPDATE(bits, fetch_and, __atomic_fetch_and)                                                              \
    UPDATE(bits, fetch_or, __atomic_fetch_or)                                                                \
    UPDATE(bits, fetch_xor, __atomic_fetch_xor)                                                              \
    UPDATE(bits, fetch_nand, __atomic_fetch_nand)                                                            \
    COMPARE(bits, strong)                                                                                    \
    COMPARE(bits, weak)

OPERATIONS(8)
OPERATIONS(16)
OPERATIONS(32)
OPERATIONS(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}
