/* access.h: what the runtime and the hooks of plain accesses call before memory is accessed. Internal. The
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
    /* The compiler reports a copy of a 16-byte struct as one access even if the struct is only 8-byte aligned. */
    const size_t need = bytes > 8 ? 8 : bytes;
    return (kind & ACCESS_UNALIGNED) || (address & (need - 1)) == 0;
}

/* Number of bytes of its stack that a thread may read or write. */
static inline size_t access_stack_bytes(const struct thread *thread, bool write)
{
    return (size_t)((write ? thread->local_high : thread->stack_high) - thread->stack_low);
}

enum common_case { STATIC_SHARED, DYNAMIC_SHARED, LIVE_ARRAY, UNCOMMON };

/* The cases in which a kernel's access needs no further check: nearly all accesses. *region is set for LIVE_ARRAY. */
static inline __attribute__((always_inline)) enum common_case
access_common_case(uintptr_t address, size_t bytes, struct region **region)
{
    if (access_inside(address, bytes, shared_layout.open_begin, shared_layout.open_bytes))
        return STATIC_SHARED;
    if (access_inside(address, bytes, shared_layout.dynamic_begin, shared_layout.dynamic_bytes))
        return DYNAMIC_SHARED;
    *region = memory_find((const void *)address);
    if (*region && !(*region)->freed &&
        access_inside(address, bytes, (uintptr_t)(*region)->array, (*region)->array_bytes))
        return LIVE_ARRAY;
    return access_inside(address, bytes, shared_layout.static_begin, shared_layout.static_bytes) &&
                   shared_open(address, bytes)
               ? STATIC_SHARED
               : UNCOMMON;
}

/* Called before a plain access of translated code to `bytes` bytes (1, 2, 4, 8 or 16). Does not return when the
 * access is out of bounds. */
void access_plain(const void *address, size_t bytes, unsigned kind, const void *site);

/* Called before an atomic operation on [address, address + bytes): checks it, lets other threads run and calls the
 * observers. kind is ACCESS_READ or ACCESS_WRITE, with flags of enum access_kind or-ed in. Does not return when the
 * access is out of bounds. */
void simt_access_atomic(void *address, size_t bytes, unsigned kind, const void *site);

/* Reports that the last atomic operation with ACCESS_SWAP does write. */
void simt_access_swapped(void);

/* Called before a memcpy in kernel or host code. */
void simt_access_copy(void *to, const void *from, size_t bytes, const void *site);

/* Called before a memset or a similar function accesses a range of any length, in kernel or host code. */
void simt_access_range(const void *address, size_t bytes, unsigned kind, const void *site);

/* Called before a kernel of the harness reads or writes one element. It counts as a plain access if `bytes` is the
 * length of one, and else as a range. */
void simt_access_element(const void *address, size_t bytes, unsigned kind, const void *site);

/* Called for an access whose address is not a multiple of `multiple` (a power of 2), the alignment of its type. In
 * a kernel it reports this, or that the address is out of bounds, and ends the launch. Host code may do such an
 * access. */
void access_misaligned(const void *address, size_t multiple, unsigned kind, const void *site);

#endif
