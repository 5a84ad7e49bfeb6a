/* fiber.h: fibers, a stack each and where it goes on: Boost.Context's, whose C symbols its headers offer to C++ only.
 * Internal. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include "core/arch.h"

/* What a fiber gets when it goes on: the one that was left for it, and the pointer that was passed along. */
struct fiber_transfer {
    void *from, *passed;
};
void *make_fcontext(void *high, size_t bytes, void (*entry)(struct fiber_transfer));

/* Leaves the running fiber and goes on with `to`. Comes back when somebody goes on with *from, which is good for one time. */
static inline __attribute__((always_inline)) void fiber_switch(void **from, void *to)
{
    void *passed;
    void *const left = arch_jump(to, from, &passed);
    *(void **)passed = left;
}

/* A new fiber gets its function first, and goes back. */
static inline void fiber_begin(struct fiber_transfer transfer)
{
    void (*const begin)(void) = (void (*)(void))(uintptr_t)transfer.passed;
    void *nobody;
    fiber_switch(&nobody, transfer.from);
    begin();
}

/* A fiber on the stack [low, high), high a multiple of 16, that runs `begin`, which must not return. */
static inline void *fiber_new(char *low, char *high, void (*begin)(void))
{
    void *passed, *const fiber = make_fcontext(high, (size_t)(high - low), fiber_begin);
    return arch_jump(fiber, (void *)(uintptr_t)begin, &passed);
}

#endif
