/* fiber.h: fibers: stacks between which the program can switch. They are Boost.Context's; its headers declare them
 * for C++ only, so this header declares its C symbols. Internal. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include "core/arch.h"

/* A fiber receives this when it continues: the fiber that was left for it, and the pointer that was passed. */
struct fiber_transfer {
    void *from, *passed;
};
void *make_fcontext(void *high, size_t bytes, void (*entry)(struct fiber_transfer));

/* Leaves the running fiber and continues `to`. Returns when another fiber switches to *from, which is valid for one
 * switch. */
static inline __attribute__((always_inline)) void fiber_switch(void **from, void *to)
{
    void *passed;
    void *const left = arch_jump(to, from, &passed);
    *(void **)passed = left;
}

/* A new fiber first receives its function and switches back. */
static inline void fiber_begin(struct fiber_transfer transfer)
{
    void (*const begin)(void) = (void (*)(void))(uintptr_t)transfer.passed;
    void *nobody;
    fiber_switch(&nobody, transfer.from);
    begin();
}

/* Makes a fiber on the stack [low, high), with high a multiple of 16. It runs `begin`, which must not return. */
static inline void *fiber_new(char *low, char *high, void (*begin)(void))
{
    void *passed, *const fiber = make_fcontext(high, (size_t)(high - low), fiber_begin);
    return arch_jump(fiber, (void *)(uintptr_t)begin, &passed);
}

#endif
