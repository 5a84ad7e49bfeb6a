/* race_kinds.h: the kinds of accesses for the race check, and which of them conflict. Internal. */
#ifndef SIMT_RACE_KINDS_H
#define SIMT_RACE_KINDS_H

#include "checks/races/race_report.h"
#include "core/observer.h"

static inline enum race_side_kind kind_of(const struct access *access)
{
    const bool write = access->kind & ACCESS_WRITE;
    /* A volatile access is a single access only up to 8 bytes. */
    if (!(access->kind & ACCESS_ATOMIC)) {
        if (access->kind & ACCESS_VOLATILE && access->bytes <= 8)
            return write ? SIDE_VOLATILE_WRITE : SIDE_VOLATILE_READ;
        return write ? SIDE_WRITE : SIDE_READ;
    }
    if (access->kind & ACCESS_BLOCK_SCOPE)
        return write ? SIDE_BLOCK_WRITE : SIDE_BLOCK_READ;
    return write ? SIDE_STRONG_WRITE : SIDE_STRONG_READ;
}

static const enum record_kind record_of[] = {
    [SIDE_READ] = RECORD_READ,
    [SIDE_WRITE] = RECORD_READ,
    [SIDE_STRONG_READ] = RECORD_STRONG_READ,
    [SIDE_STRONG_WRITE] = RECORD_STRONG_WRITE,
    [SIDE_VOLATILE_READ] = RECORD_VOLATILE_READ,
    [SIDE_VOLATILE_WRITE] = RECORD_VOLATILE_WRITE,
    [SIDE_BLOCK_READ] = RECORD_BLOCK_READ,
    [SIDE_BLOCK_WRITE] = RECORD_BLOCK_WRITE,
};

static const enum race_side_kind side_of[] = {
    [RECORD_READ] = SIDE_READ,
    [RECORD_STRONG_READ] = SIDE_STRONG_READ,
    [RECORD_STRONG_WRITE] = SIDE_STRONG_WRITE,
    [RECORD_VOLATILE_READ] = SIDE_VOLATILE_READ,
    [RECORD_VOLATILE_WRITE] = SIDE_VOLATILE_WRITE,
    [RECORD_BLOCK_READ] = SIDE_BLOCK_READ,
    [RECORD_BLOCK_WRITE] = SIDE_BLOCK_WRITE,
};

static inline bool is_write(enum race_side_kind kind)
{
    return kind == SIDE_WRITE || kind == SIDE_STRONG_WRITE || kind == SIDE_VOLATILE_WRITE ||
           kind == SIDE_BLOCK_WRITE;
}

static inline bool is_volatile(enum race_side_kind kind)
{
    return kind == SIDE_VOLATILE_READ || kind == SIDE_VOLATILE_WRITE;
}

static inline bool is_strong(enum race_side_kind kind)
{
    return kind != SIDE_READ && kind != SIDE_WRITE;
}

static inline bool is_for_block(enum race_side_kind kind)
{
    return kind == SIDE_BLOCK_READ || kind == SIDE_BLOCK_WRITE;
}

/* Is this an atomic access for the whole device? Two of different widths are not atomic to each other. */
static inline bool is_atomic_for_all(enum race_side_kind kind)
{
    return kind == SIDE_STRONG_READ || kind == SIDE_STRONG_WRITE;
}

static inline uint32_t race_width(enum race_side_kind kind, const struct access *access)
{
    return is_atomic_for_all(kind) && access->bytes > WORD_BYTES ? RECORD_IS_WIDE : 0;
}

static inline bool conflict(enum race_side_kind a, enum race_side_kind b, bool same_block)
{
    if (!is_write(a) && !is_write(b))
        return false;
    if (!is_strong(a) || !is_strong(b))
        return true;
    return !same_block && (is_for_block(a) || is_for_block(b));
}

#endif
