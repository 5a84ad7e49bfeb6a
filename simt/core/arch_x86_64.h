/* arch_x86_64.h: see arch.h. */
#ifndef SIMT_ARCH_X86_64_H
#define SIMT_ARCH_X86_64_H

enum { ARCH_PAGE = 4096 };

#ifdef _GNU_SOURCE /* the registers have names only then */
static inline const void *arch_instruction(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.gregs[REG_RIP];
}

static inline const void *arch_stack(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.gregs[REG_RSP];
}
#endif

/* Where a fiber goes on. It lies in the frame of who switches, beside the registers that the compiler has saved there. */
struct arch_place {
    void *stack, *frame, *instruction;
};

static inline void *arch_fiber(char *low, char *high, void (*begin)(void))
{
    struct arch_place *place = (struct arch_place *)(high - 32);
    void **stack = (void **)place - 1; /* as after a call, from nowhere */
    (void)low;
    *stack = NULL;
    *place = (struct arch_place){.stack = stack, .instruction = (void *)(uintptr_t)begin};
    return place;
}

/* The other fiber is entered by a jump; after a call, the processor would expect a return there, and take every later
 * return of that fiber for another one. */
static inline __attribute__((always_inline)) void arch_switch(void **from, void *to)
{
    struct arch_place here, *place = &here;
    __asm__ volatile("leaq 1f(%%rip), %%rcx\n\t"
                     "movq %%rax, (%%rsi)\n\t"
                     "movq %%rsp, (%%rax)\n\t"
                     "movq %%rbp, 8(%%rax)\n\t"
                     "movq %%rcx, 16(%%rax)\n\t"
                     "movq (%%rdx), %%rsp\n\t"
                     "movq 8(%%rdx), %%rbp\n\t"
                     "jmpq *16(%%rdx)\n"
                     "1:"
                     : "+a"(place), "+d"(to), "+S"(from)
                     :
                     : "rbx", "rcx", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}

#endif
