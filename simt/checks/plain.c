/* The hooks of plain accesses, which are most of a kernel's accesses. Most of them end here: those that are aligned
 * and in bounds, if there are no observers, or only the checks for races and uninitialized reads and neither has
 * anything to report. All other accesses take the general path in core/access.c. */
#include "checks/races/races.h"
#include "checks/uninitialized.h"
#include "core/access.h"
#include "core/locals.h"
#include "core/sampler.h"
#include "core/schedule.h"

enum { BOTH_CHECKS = 2 /* number of observers if only these two checks are active */ };

/* True when neither check has anything to report about an access to shared memory; offset is in bytes. Words that have
 * been recorded here are recorded again, without effect, if the access then takes the general path. */
static inline __attribute__((always_inline)) bool is_fine_in_shared(size_t offset, size_t bytes, bool write,
                                                                    const void *site)
{
    if (bytes % WORD_BYTES != 0 || race_now.state != RACES_ON || !race_now.cells ||
        !uninitialized_plain(current_block->written, offset, bytes, write))
        return false;
    if (race_now.skips)
        return true;
    for (size_t word = 0; word < bytes / WORD_BYTES; word++)
        if (!races_plain(&race_now.cells[offset / WORD_BYTES + word], write, true, (uint32_t)(uintptr_t)site))
            return false;
    return true;
}

/* The same for an allocation. */
static inline __attribute__((always_inline)) bool is_fine_in_array(struct region *region, size_t offset,
                                                                   size_t bytes, bool write, const void *site)
{
    if (bytes % WORD_BYTES != 0 || race_now.state != RACES_ON ||
        !uninitialized_plain(region->written, offset, bytes, write))
        return false;
    return race_now.skips ||
           (region->lines && races_array(region->lines, offset, (unsigned)(bytes / WORD_BYTES), write,
                                         (uint32_t)(uintptr_t)site));
}

/* The same for the thread's own stack, which the race check ignores. False if the address is not on that stack. */
static inline bool is_fine_in_stack(uintptr_t address, size_t bytes, bool write, bool watched)
{
    const struct thread *thread = current_thread;
    if (!access_inside(address, bytes, (uintptr_t)thread->stack_low, access_stack_bytes(thread, write)))
        return false;
    if (!watched || !thread->locals)
        return true;
    struct simt_local_memory *local = locals_find((const void *)address);
    const size_t at = local ? address - (uintptr_t)local->begin : 0;
    return !local || (bytes <= local->bytes - at && uninitialized_plain(local->written, at, bytes, write));
}

/* Is the kernel's access finished? */
static inline __attribute__((always_inline)) bool is_usual(uintptr_t address, size_t bytes, bool write,
                                                           const void *site)
{
    struct region *region;
    const size_t lookers = observe_access_count;
    if ((lookers != 0 && lookers != BOTH_CHECKS) || sampler || !access_aligned(address, bytes, 0))
        return false;
    switch (access_common_case(address, bytes, &region)) {
    case STATIC_SHARED:
        if (lookers != 0 && !is_fine_in_shared(address - shared_layout.static_origin, bytes, write, site))
            return false;
        break;
    case DYNAMIC_SHARED:
        if (lookers != 0 && !is_fine_in_shared(address - shared_layout.dynamic_origin, bytes, write, site))
            return false;
        break;
    case LIVE_ARRAY:
        if ((write && region->is_input) ||
            (lookers != 0 &&
             !is_fine_in_array(region, address - (uintptr_t)region->begin, bytes, write, site)))
            return false;
        break;
    default:
        return is_fine_in_stack(address, bytes, write, lookers != 0);
    }
    schedule_progress += write;
    return true;
}

/* The rare path is a separate function, so that the common one saves no registers. */
#define HOOK(name, bytes, kind)                                                                              \
    static __attribute__((noinline)) void name##_slow(void *address, const void *site)                       \
    {                                                                                                        \
        access_plain(address, bytes, kind, site);                                                            \
    }                                                                                                        \
    void name(void *address);                                                                                \
    void name(void *address)                                                                                 \
    {                                                                                                        \
        const void *site = __builtin_return_address(0);                                                      \
        if (!current_thread || !is_usual((uintptr_t)address, bytes, (kind) == ACCESS_WRITE, site))           \
            name##_slow(address, site);                                                                      \
    }

#define HOOKS(bytes)                                                                                         \
    HOOK(__tsan_read##bytes, bytes, ACCESS_READ)                                                             \
    HOOK(__tsan_write##bytes, bytes, ACCESS_WRITE)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

/* ---- elements of any length
 * ---------------------------------------------------------------------------------------- */

void simt_access_element(const void *address, size_t bytes, unsigned kind, const void *site)
{
    const uintptr_t at = (uintptr_t)address;
    const bool plain = bytes <= 16 && (bytes & (bytes - 1)) == 0, write = kind == ACCESS_WRITE;
    if (current_thread &&
        ((bytes == 4 && is_usual(at, 4, write, site)) || (bytes == 8 && is_usual(at, 8, write, site))))
        return;
    access_plain(address, bytes, plain ? kind : kind | ACCESS_UNALIGNED, site);
}
