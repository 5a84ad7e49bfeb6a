/* arch_arm64.h: see arch.h. */
#ifndef SIMT_ARCH_ARM64_H
#define SIMT_ARCH_ARM64_H

enum { ARCH_PAGE = 65536 }; /* a kernel's pages have 4, 16 or 64 KiB */

static inline const void *arch_instruction(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.pc;
}

static inline const void *arch_stack(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.sp;
}

/* Boost.Context's C symbols, which its headers offer to C++ only. jump_fcontext continues `to`; what it returns, in the
 * fiber that it continues, is the one that it left and the pointer that was passed along. */
struct arch_transfer {
    void *from, *passed;
};
struct arch_transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *high, size_t bytes, void (*entry)(struct arch_transfer));

static inline void arch_arrive(struct arch_transfer transfer)
{
    *(void **)transfer.passed = transfer.from;
}

/* An ordinary call: a return goes to the address in a register, and jump_fcontext leaves by a plain branch. */
static inline void arch_switch(void **from, void *to)
{
    arch_arrive(jump_fcontext(to, from));
}

/* A new fiber gets its function first, and goes back. */
static inline void arch_begin(struct arch_transfer transfer)
{
    void (*const begin)(void) = (void (*)(void))(uintptr_t)transfer.passed;
    arch_arrive(jump_fcontext(transfer.from, NULL));
    begin();
}

static inline void *arch_fiber(char *low, char *high, void (*begin)(void))
{
    void *const fiber = make_fcontext(high, (size_t)(high - low), arch_begin);
    return jump_fcontext(fiber, (void *)(uintptr_t)begin).from;
}

#endif
