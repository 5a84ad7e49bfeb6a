/* fiber.h: Boost.Context's C symbols, which its headers offer to C++ only. Internal.
 *
 * A fiber is a stack and a saved register set. jump_fcontext saves the caller and continues `to`; what
 * it returns, in the fiber that it continues, is the saved caller and the pointer that was passed along. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include "core/arch.h"
#include <stddef.h>

typedef void *fcontext_t;

struct transfer {
    fcontext_t from; /* the fiber that jumped here, as it can be continued */
    void *data;
};

/* stack_top: highest address, 16-byte aligned; entry must not return. */
fcontext_t make_fcontext(void *stack_top, size_t bytes, void (*entry)(struct transfer));

static inline struct transfer fiber_jump(fcontext_t to, void *data)
{
    struct transfer transfer;
    transfer.from = arch_jump(to, data, &transfer.data);
    return transfer;
}

#endif
