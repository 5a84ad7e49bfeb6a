/* access.h: the checks that the runtime's own operations and the hooks of plain accesses ask for. Internal; the
 * compiler's other hooks are in access.c. */
#ifndef SIMT_ACCESS_H
#define SIMT_ACCESS_H

#include "core/observer.h"
#include "core/shared.h"

static inline bool access_inside(uintptr_t address, size_t bytes, uintptr_t begin, size_t size)
{
    return address - begin < size && bytes <= size - (address - begin);
}

static inline bool access_aligned(uintptr_t address, size_t bytes, unsigned kind)
{
    /* A 16-byte access may be two of 8 bytes: the compiler reports a copy of such a struct as one. */
    const size_t need = bytes > 8 ? 8 : bytes;
    return (kind & ACCESS_UNALIGNED) || (address & (need - 1)) == 0;
}

enum common_case { STATIC_SHARED, DYNAMIC_SHARED, LIVE_ARRAY, UNCOMMON };

/* Where a kernel's access is right without further questions, most of them by far; *region is set for LIVE_ARRAY. */
static inline __attribute__((always_inline)) enum common_case
access_common_case(uintptr_t address, size_t bytes, struct region **region)
{
    if (access_inside(address, bytes, shared_layout.static_begin, shared_layout.static_bytes))
        return STATIC_SHARED;
    if (access_inside(address, bytes, shared_layout.dynamic_begin, shared_layout.dynamic_bytes))
        return DYNAMIC_SHARED;
    *region = memory_find((const void *)address);
    if (*region && !(*region)->freed &&
        access_inside(address, bytes, (uintptr_t)(*region)->array, (*region)->array_bytes))
        return LIVE_ARRAY;
    return UNCOMMON;
}

/* Translated code is about to touch `bytes` (1, 2, 4, 8 or 16) by a plain access. Does not return on a wild one. */
void access_plain(const void *address, size_t bytes, unsigned kind, const void *site);

/* The device is about to touch [address, address + bytes) for an atomic operation: checks it, lets other
 * threads run, tells the observers. kind: ACCESS_READ or ACCESS_WRITE, and what enum access_kind or-s in. Does not return on a wild access. */
void simt_access_atomic(void *address, size_t bytes, unsigned kind, const void *site);

/* The compare-and-swap that was announced last, with ACCESS_SWAP, does write. */
void simt_access_swapped(void);

/* A memcpy in kernel or host code is about to copy. */
void simt_access_copy(void *to, const void *from, size_t bytes, const void *site);

/* A memset in kernel or host code is about to touch a range of any length. */
void simt_access_range(const void *address, size_t bytes, unsigned kind, const void *site);

/* A kernel of the harness's is about to read or write one element: as a plain access of `bytes`, or as a range where
 * no plain one has that length. */
void simt_access_element(const void *address, size_t bytes, unsigned kind, const void *site);

/* A kernel is about to touch an address that is no multiple of `multiple` (a power of 2), though its type has to lie at
 * one. Reports it and ends the launch; where nothing lies there at all, that is what is reported. Host code may. */
void access_misaligned(const void *address, size_t multiple, unsigned kind, const void *site);

#endif
