/* Atomic operations. All device code runs on one OS thread, so a plain read and write are atomic. These functions
 * check the address, let other threads run first, and inform the scheduler when a value changes. */
#include "core/access.h"
#include "core/observer.h"
#include "core/schedule.h"
#include "runtime/device_api.h"
#include "simt.h"

#include <string.h>

#define SITE __builtin_return_address(0)

static bool for_block;

void simt_atomic_for_block(void)
{
    for_block = true;
}

static void before(const char *what, void *address, size_t bytes, unsigned kind, const void *site)
{
    device_only(what, site);
    if (for_block)
        kind |= ACCESS_BLOCK_SCOPE;
    for_block = false;
    simt_access_atomic(address, bytes, kind, site);
}

enum {
    UPDATE = ACCESS_WRITE | ACCESS_CHAINED,
    EXCHANGE = UPDATE | ACCESS_REPLACE,
    SWAP = UPDATE | ACCESS_SWAP
};

/* ---- the new value that each operation computes -------------------------------------------------------------- */

#define APPLY(name, type)                                                                                    \
    static type apply_##name(type old, type operand, enum simt_atomic operation)                             \
    {                                                                                                        \
        switch (operation) {                                                                                 \
        case SIMT_ATOMIC_ADD:                                                                                \
            return old + operand;                                                                            \
        case SIMT_ATOMIC_SUB:                                                                                \
            return old - operand;                                                                            \
        case SIMT_ATOMIC_EXCHANGE:                                                                           \
            return operand;                                                                                  \
        case SIMT_ATOMIC_MIN:                                                                                \
            return operand < old ? operand : old;                                                            \
        case SIMT_ATOMIC_MAX:                                                                                \
            return operand > old ? operand : old;                                                            \
            BITWISE(old, operand)                                                                            \
        }                                                                                                    \
        return old;                                                                                          \
    }

#define BITWISE(old, operand)                                                                                \
    case SIMT_ATOMIC_AND:                                                                                    \
        return old & operand;                                                                                \
    case SIMT_ATOMIC_OR:                                                                                     \
        return old | operand;                                                                                \
    case SIMT_ATOMIC_XOR:                                                                                    \
        return old ^ operand;                                                                                \
    case SIMT_ATOMIC_INC:                                                                                    \
        return old >= operand ? 0 : old + 1;                                                                 \
    case SIMT_ATOMIC_DEC:                                                                                    \
        return old == 0 || old > operand ? operand : old - 1;
APPLY(u32, uint32_t)
APPLY(u64, uint64_t)

#undef BITWISE
#define BITWISE(old, operand)                                                                                \
    default:                                                                                                 \
        return old;
APPLY(f32, float)
APPLY(f64, double)

/* Signed integers wrap, so only comparisons differ from the unsigned operations. */
#define APPLY_SIGNED(name, type, as)                                                                         \
    static type apply_##name(type old, type operand, enum simt_atomic operation)                             \
    {                                                                                                        \
        if (operation == SIMT_ATOMIC_MIN)                                                                    \
            return operand < old ? operand : old;                                                            \
        if (operation == SIMT_ATOMIC_MAX)                                                                    \
            return operand > old ? operand : old;                                                            \
        return (type)apply_##as((u##type)old, (u##type)operand, operation);                                  \
    }

APPLY_SIGNED(i32, int32_t, u32)
APPLY_SIGNED(i64, int64_t, u64)

static const char *const names[] = {
    [SIMT_ATOMIC_ADD] = "atomicAdd", [SIMT_ATOMIC_SUB] = "atomicSub", [SIMT_ATOMIC_EXCHANGE] = "atomicExch",
    [SIMT_ATOMIC_MIN] = "atomicMin", [SIMT_ATOMIC_MAX] = "atomicMax", [SIMT_ATOMIC_INC] = "atomicInc",
    [SIMT_ATOMIC_DEC] = "atomicDec", [SIMT_ATOMIC_AND] = "atomicAnd", [SIMT_ATOMIC_OR] = "atomicOr",
    [SIMT_ATOMIC_XOR] = "atomicXor",
};

/* ---- read, modify, write ------------------------------------------------------------------------------------- */

#define ATOMIC(name, type)                                                                                   \
    type simt_atomic_##name(type *address, type operand, enum simt_atomic operation)                         \
    {                                                                                                        \
        before(names[operation], address, sizeof *address,                                                   \
               operation == SIMT_ATOMIC_EXCHANGE ? EXCHANGE : UPDATE, SITE);                                 \
        type old = *address;                                                                                 \
        type new = apply_##name(old, operand, operation);                                                    \
        /* A poll must not write, because another host thread may write there. */                            \
        if (memcmp(&new, &old, sizeof new) != 0) {                                                           \
            *address = new;                                                                                  \
            schedule_progress++;                                                                             \
        }                                                                                                    \
        return old;                                                                                          \
    }

ATOMIC(i32, int32_t)
ATOMIC(u32, uint32_t)
ATOMIC(i64, int64_t)
ATOMIC(u64, uint64_t)
ATOMIC(f32, float)
ATOMIC(f64, double)

/* ---- values of any type -------------------------------------------------------------------------------------- */

static unsigned __int128 read_bits(const void *address, size_t bytes)
{
    unsigned __int128 bits = 0;
    memcpy(&bits, address, bytes);
    return bits;
}

static void write_bits(void *address, unsigned __int128 bits, size_t bytes)
{
    schedule_progress += read_bits(address, bytes) != bits;
    memcpy(address, &bits, bytes);
}

static unsigned __int128 low_bits(unsigned __int128 bits, size_t bytes)
{
    return bytes == 16 ? bits : bits & (((unsigned __int128)1 << 8 * bytes) - 1);
}

/* Only the bytes of the value are compared and written, because the rest of `expected` is sign extension or junk. */
static unsigned __int128 swap_if(void *address, unsigned __int128 expected, unsigned __int128 desired,
                                 size_t bytes)
{
    unsigned __int128 old = read_bits(address, bytes);
    if (old == low_bits(expected, bytes)) {
        simt_access_swapped();
        write_bits(address, low_bits(desired, bytes), bytes);
    }
    return old;
}

static unsigned __int128 exchange(void *address, unsigned __int128 desired, size_t bytes)
{
    unsigned __int128 old = read_bits(address, bytes);
    write_bits(address, low_bits(desired, bytes), bytes);
    return old;
}

uint64_t simt_atomic_swap_if(void *address, uint64_t expected, uint64_t desired, size_t bytes)
{
    before("atomicCAS", address, bytes, SWAP, SITE);
    return (uint64_t)swap_if(address, expected, desired, bytes);
}

unsigned __int128 simt_atomic_swap_if_16(void *address, unsigned __int128 expected, unsigned __int128 desired)
{
    before("atomicCAS", address, 16, SWAP, SITE);
    return swap_if(address, expected, desired, 16);
}

uint64_t simt_atomic_exchange(void *address, uint64_t desired, size_t bytes)
{
    before("atomicExch", address, bytes, EXCHANGE, SITE);
    return (uint64_t)exchange(address, desired, bytes);
}

unsigned __int128 simt_atomic_exchange_16(void *address, unsigned __int128 desired)
{
    before("atomicExch", address, 16, EXCHANGE, SITE);
    return exchange(address, desired, 16);
}

uint64_t simt_atomic_load(const void *address, size_t bytes)
{
    before("an atomic load", (void *)address, bytes, ACCESS_READ, SITE);
    return (uint64_t)read_bits(address, bytes);
}

void simt_atomic_store(void *address, uint64_t value, size_t bytes)
{
    before("an atomic store", address, bytes, ACCESS_WRITE | ACCESS_REPLACE, SITE);
    write_bits(address, low_bits(value, bytes), bytes);
}
