/* arch_x86_64.h: see arch.h. */
#ifndef SIMT_ARCH_X86_64_H
#define SIMT_ARCH_X86_64_H

enum { ARCH_PAGE = 4096 };

#ifdef _GNU_SOURCE /* the registers' names are declared only then */
static inline const void *arch_instruction(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.gregs[REG_RIP];
}

/* Is the instruction a jump to itself? */
static inline bool arch_is_empty_loop(const void *instruction)
{
    return memcmp(instruction, "\xeb\xfe", 2) == 0 || memcmp(instruction, "\xe9\xfb\xff\xff\xff", 5) == 0;
}

static inline const void *arch_stack(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.gregs[REG_RSP];
}
#endif

/* The return address is the highest word of a function's own frame. */
static inline char *arch_frames_above(const void *const *frame)
{
    return (char *)(uintptr_t)(frame + 1);
}

/* Enters the fiber by a jump, because the fiber also leaves by a jump, to the place where another fiber left. If it
 * were entered by a call, the processor would expect a return here and would mispredict every later return of that
 * fiber. It pushes to the stack, so functions that contain it must keep nothing below the stack pointer: -mno-red-zone. */
static inline void *arch_jump(void *to, void *data, void **passed)
{
    void *from, *unused = data;
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "jmp jump_fcontext@PLT\n"
                     "1:"
                     : "=&a"(from), "=&d"(*passed), "+D"(to), "+S"(unused)
                     :
                     : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "cc", "memory");
    return from;
}

#endif
