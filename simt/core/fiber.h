/* fiber.h: Boost.Context's C symbols, which its headers offer to C++ only. Internal.
 *
 * A fiber is a stack and a saved register set. jump_fcontext saves the caller and continues `to`; what
 * it returns, in the fiber that it continues, is the saved caller and the pointer that was passed along. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <stddef.h>

typedef void *fcontext_t;

struct transfer {
    fcontext_t from; /* the fiber that jumped here, as it can be continued */
    void *data;
};

struct transfer jump_fcontext(fcontext_t to, void *data);

/* stack_top: highest address, 16-byte aligned; entry must not return. */
fcontext_t make_fcontext(void *stack_top, size_t bytes, void (*entry)(struct transfer));

/* jump_fcontext, entered by a jump. It leaves by a jump too, to where another fiber came from; after a call, the
 * processor would expect a return there, and take every later return of that fiber for another one. */
static inline struct transfer fiber_jump(fcontext_t to, void *data)
{
#ifdef __x86_64__
    fcontext_t from;
    void *passed, *unused = data;
    __asm__ volatile("subq $128, %%rsp\n\t" /* what the compiler may keep below the stack pointer */
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "jmp jump_fcontext@PLT\n"
                     "1:\n\t"
                     "addq $128, %%rsp"
                     : "=&a"(from), "=&d"(passed), "+D"(to), "+S"(unused)
                     :
                     : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "cc", "memory");
    return (struct transfer){from, passed};
#else
    return jump_fcontext(to, data);
#endif
}

#endif
