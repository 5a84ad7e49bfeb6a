/* Every access of translated code to memory passes through this file before it happens, except the plain ones that
 * checks/plain.c finds to be right. g++ -fsanitize=thread inserts a call of __tsan_read4 or a similar function in
 * front of each access. This file itself recognises a kernel's own shared memory, live allocations and local
 * memory; the judge decides about all other addresses. */
#include "core/access.h"
#include "core/budget.h"
#include "core/explore.h"
#include "core/hold.h"
#include "core/judge.h"
#include "core/late.h"
#include "core/module.h"
#include "core/observer.h"
#include "core/sampler.h"
#include "core/schedule.h"
#include "core/timeline.h"
#include "simt.h"

#define SITE __builtin_return_address(0)

static struct access last_swap;

static unsigned used; /* enum simt_used */

static inline __attribute__((always_inline)) void kernel_access(uintptr_t address, size_t bytes,
                                                                unsigned kind, const void *site)
{
    struct access access = {(char *)address, bytes, kind, MEMORY_SHARED, NULL, site, 0};
    struct region *region;
    /* An atomic operation reports itself whether it changed anything: a poll by atomicAdd(&flag, 0) does not. */
    const bool writes = (kind & (ACCESS_WRITE | ACCESS_ATOMIC)) == ACCESS_WRITE;

    const enum common_case where = access_common_case(address, bytes, &region);
    if (where == STATIC_SHARED) {
        if (bytes == 1 && module_holds_guard(module_of_code(site), access.address))
            return;
        access.offset = address - shared_layout.static_origin;
        schedule_progress += writes;
    } else if (where == DYNAMIC_SHARED) {
        access.offset = address - shared_layout.dynamic_origin;
        schedule_progress += writes;
    } else if (where == LIVE_ARRAY) {
        access.space = region->space;
        access.region = region;
        access.offset = address - (uintptr_t)region->begin;
        if (__builtin_expect((kind & ACCESS_WRITE) && region->is_input, 0))
            judge->input_written(&access);
        if (__builtin_expect(sampler != NULL, 0)) {
            sampler->access(&access);
            sampler->in_region(&access);
        }
        schedule_progress += writes;
    } else if (access_inside(address, bytes, (uintptr_t)current_thread->stack_low,
                             access_stack_bytes(current_thread, kind & ACCESS_WRITE))) {
        access.space = MEMORY_LOCAL;
    } else {
        if (sampler)
            sampler->access(&access);
        judge->kernel_access(&access);
        if (sampler)
            sampler->elsewhere(&access);
        schedule_progress += writes;
    }
    if (__builtin_expect(!access_aligned(address, bytes, kind), 0))
        judge->misaligned(&access);
    if (__builtin_expect(explore_watches, 0) && explore_access(&access)) {
        last_swap = access;
        return;
    }
    if (__builtin_expect(hold_watches, 0) && (kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)) &&
        access.space != MEMORY_SHARED && access.space != MEMORY_LOCAL && hold_look(&access))
        schedule_hold(site);
    if (__builtin_expect(late_watches, 0) && late_look(&access))
        schedule_come_late(site);
    if (kind & ACCESS_SWAP)
        last_swap = access;
    for (size_t i = 0; observe_access_table[i]; i++)
        observe_access_table[i](&access);
    if (__builtin_expect(late_watches, 0))
        late_note(&access);
}

void access_misaligned(const void *address, size_t multiple, unsigned kind, const void *site)
{
    struct access access = {(char *)address, multiple, kind, MEMORY_SHARED, NULL, site, 0};
    struct region *region;

    if (!current_thread)
        return;
    if (access_common_case((uintptr_t)address, 1, &region) == UNCOMMON &&
        !access_inside((uintptr_t)address, 1, (uintptr_t)current_thread->stack_low,
                       (size_t)(current_thread->stack_high - current_thread->stack_low)))
        judge->kernel_access(&access);
    judge->misaligned(&access);
}

/* Another host thread may be using the device. An access to memory that the device does not manage does not wait
 * for it. */
static __attribute__((noinline)) void host_access(const void *address, size_t bytes, unsigned kind,
                                                  const void *site)
{
    const bool alone = host_is_alone();
    if (__builtin_expect(sampler != NULL, 0))
        sampler->host(site);
    if (!alone && !memory_may_be_known(address))
        return;
    const bool between_launches = alone || host_enter_to_touch();
    judge->host_access(address, bytes, kind, site);
    if (between_launches && timeline_running)
        observe_host(address, bytes, kind, site);
    if (!alone)
        host_leave_touched();
}

static inline __attribute__((always_inline)) void any_access(const void *address, size_t bytes, unsigned kind,
                                                             const void *site)
{
    budget_spend(BUDGET_OF_LOOK);
    if (current_thread) {
        if (kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)) {
            simt_note_used(kind & ACCESS_ATOMIC ? SIMT_USED_ATOMICS : SIMT_USED_VOLATILE);
            if (__builtin_expect(!explore_watches, 1))
                schedule_yield(site);
        }
        kernel_access((uintptr_t)address, bytes, kind, site);
    } else {
        host_access(address, bytes, kind, site);
    }
}

void simt_note_used(unsigned what)
{
    used |= what;
}

void simt_forget_used(void)
{
    used = 0;
}

unsigned simt_used(void)
{
    return used;
}

void access_plain(const void *address, size_t bytes, unsigned kind, const void *site)
{
    any_access(address, bytes, kind, site);
}

void simt_access_atomic(void *address, size_t bytes, unsigned kind, const void *site)
{
    any_access(address, bytes, kind | ACCESS_ATOMIC, site);
}

void simt_access_swapped(void)
{
    last_swap.kind &= ~(unsigned)ACCESS_SWAP;
    if (!explore_hides_swap())
        observe_swap(&last_swap);
}

void simt_access_range(const void *address, size_t bytes, unsigned kind, const void *site)
{
    budget_spend_copied(bytes);
    if (bytes > 0)
        any_access(address, bytes, kind | ACCESS_UNALIGNED, site);
}

void simt_access_copy(void *to, const void *from, size_t bytes, const void *site)
{
    simt_access_range(from, bytes, ACCESS_READ | ACCESS_COPY, site);
    simt_access_range(to, bytes, ACCESS_WRITE | ACCESS_COPY, site);
}

/* ---- the compiler's hooks, except those in plain.c --------------------------------------------------------- */

#define HOOK(name, bytes, kind)                                                                              \
    void name(void *address);                                                                                \
    void name(void *address)                                                                                 \
    {                                                                                                        \
        any_access(address, bytes, kind, SITE);                                                              \
    }

#define HOOKS(bytes)                                                                                         \
    HOOK(__tsan_unaligned_read##bytes, bytes, ACCESS_READ | ACCESS_UNALIGNED)                                \
    HOOK(__tsan_unaligned_write##bytes, bytes, ACCESS_WRITE | ACCESS_UNALIGNED)                              \
    HOOK(__tsan_volatile_read##bytes, bytes, ACCESS_READ | ACCESS_VOLATILE)                                  \
    HOOK(__tsan_volatile_write##bytes, bytes, ACCESS_WRITE | ACCESS_VOLATILE)                                \
    HOOK(__tsan_unaligned_volatile_read##bytes, bytes, ACCESS_READ | ACCESS_VOLATILE | ACCESS_UNALIGNED)     \
    HOOK(__tsan_unaligned_volatile_write##bytes, bytes, ACCESS_WRITE | ACCESS_VOLATILE | ACCESS_UNALIGNED)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes)
{
    if (bytes > 0)
        any_access(address, bytes, ACCESS_READ | ACCESS_UNALIGNED, SITE);
}

void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes)
{
    if (bytes > 0)
        any_access(address, bytes, ACCESS_WRITE | ACCESS_UNALIGNED, SITE);
}

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    any_access(address, sizeof *address, ACCESS_WRITE, SITE);
}

void __tsan_vptr_read(void **address);
void __tsan_vptr_read(void **address)
{
    any_access(address, sizeof *address, ACCESS_READ, SITE);
}
