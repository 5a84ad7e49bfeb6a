#include "core/returns.h"
#include "core/arch.h"
#include "core/guard.h"
#include "core/judge.h"
#include "core/thread.h"

#include <stdint.h>

enum { DEEP = 1 << 16 };

static struct returns of_host;
static const char *host_frames = (const char *)UINTPTR_MAX; /* frames above are not the program's */
static struct returns_frame deep[DEEP]; /* by a hash of the slot; a newer call may overwrite an entry */

static struct returns_frame *frame_at(struct returns *of, unsigned depth, const void *const *slot)
{
    if (depth < RETURNS_KEPT)
        return &of->frame[depth];
    return &deep[((uintptr_t)slot >> 4) * 0x9E3779B97F4A7C15u >> 48];
}

static struct returns *of_caller(void)
{
    return current_thread ? &current_thread->returns : &of_host;
}

void returns_begin_host(void)
{
    of_host.depth = 0;
    host_frames = (const char *)UINTPTR_MAX;
}

bool returns_own(const void *address, size_t bytes)
{
    extern const void *__libc_stack_end;
    const uintptr_t from = (uintptr_t)address, stack_end = (uintptr_t)__libc_stack_end;
    const uintptr_t end = (uintptr_t)host_frames < stack_end ? (uintptr_t)host_frames : stack_end;
    return from >= (uintptr_t)__builtin_frame_address(0) && from < end && bytes <= end - from;
}

/* The slot of the return address. A function with a frame pointer stores its caller's frame pointer where it
 * points, and the return address after it. */
static const void *const *slot_of(const void *const *frame)
{
    return (const void *const *)frame[0] + 1;
}

static __attribute__((noinline)) void enter(const void *const *slot, const void *address)
{
    struct returns *of = of_caller();
    if (of->depth == 0) {
        if (!current_thread)
            host_frames = arch_frames_above(slot - 1);
        else if (!current_launch->harness) /* its kernels have variables that the student's operator writes */
            current_thread->local_high = arch_frames_above(slot - 1);
    }
    if (*slot != address)
        judge->return_changed(address);
    *frame_at(of, of->depth++, slot) = (struct returns_frame){slot, address};
}

static __attribute__((noinline)) void leave(const void *const *slot, const void *site)
{
    struct returns *of = of_caller();
    if (of->depth > 0)
        of->depth--;
    const struct returns_frame *frame = frame_at(of, of->depth, slot);
    const bool replaced =
        of->depth >= RETURNS_KEPT && frame->slot != slot; /* then the address must be in the program */
    if (replaced ? !judge->is_students(*slot) : frame->slot != slot || frame->address != *slot)
        judge->return_changed(site);
    if (of->depth == 0 && !current_thread)
        host_frames = (const char *)UINTPTR_MAX;
}

/* ---- the compiler's hooks -------------------------------------------------------------------------------------- */

/* Called by the constructors of instrumented code; there is nothing to prepare. */
void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    const void *const *slot = slot_of(__builtin_frame_address(0));
    struct thread *thread = current_thread;
    if (!guard_is_on())
        return;
    const unsigned depth = thread ? thread->returns.depth : RETURNS_KEPT;
    if (depth < RETURNS_KEPT && *slot == caller) { /* the common case, done here as `enter` does it */
        if (depth == 0 && !current_launch->harness)
            thread->local_high = arch_frames_above(slot - 1);
        thread->returns.frame[depth] = (struct returns_frame){slot, caller};
        thread->returns.depth = depth + 1;
    } else {
        enter(slot, caller);
    }
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
    const void *const *slot = slot_of(__builtin_frame_address(0));
    struct thread *thread = current_thread;
    if (!guard_is_on())
        return;
    const unsigned depth = thread ? thread->returns.depth - 1 : RETURNS_KEPT;
    if (depth < RETURNS_KEPT && thread->returns.frame[depth].slot == slot &&
        thread->returns.frame[depth].address == *slot)
        thread->returns.depth = depth; /* as in `leave` */
    else
        leave(slot, __builtin_return_address(0));
}
