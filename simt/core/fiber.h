/* fiber.h: fibers, a stack each and where it goes on. Internal. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include "core/arch.h"

/* A fiber on the stack [low, high), high a multiple of 16, that runs `begin`, which must not return. */
static inline void *fiber_new(char *low, char *high, void (*begin)(void))
{
    return arch_fiber(low, high, begin);
}

/* Leaves the running fiber and goes on with `to`. Comes back when somebody goes on with *from, which is good for one time. */
static inline __attribute__((always_inline)) void fiber_switch(void **from, void *to)
{
    arch_switch(from, to);
}

#endif
