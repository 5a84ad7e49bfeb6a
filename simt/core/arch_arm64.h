/* arch_arm64.h: see arch.h. */
#ifndef SIMT_ARCH_ARM64_H
#define SIMT_ARCH_ARM64_H

enum { ARCH_PAGE = 65536 }; /* Linux on arm64 has pages of 4, 16 or 64 KiB */

static inline const void *arch_instruction(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.pc;
}

/* Is the instruction a jump to itself? */
static inline bool arch_is_empty_loop(const void *instruction)
{
    return memcmp(instruction, "\0\0\0\x14", 4) == 0;
}

static inline const void *arch_stack(const ucontext_t *context)
{
    return (const void *)context->uc_mcontext.sp;
}

/* The frame pointer and the return address are below a function's variables; those of its caller are above them. */
static inline char *arch_frames_above(const void *const *frame)
{
    return (char *)(uintptr_t)frame[0];
}

/* An ordinary call is enough: a return jumps to the address in a register, and jump_fcontext leaves by a plain
 * branch. */
static inline void *arch_jump(void *to, void *data, void **passed)
{
    struct both {
        void *from, *passed;
    };
    struct both jump_fcontext(void *to, void *data);
    const struct both transfer = jump_fcontext(to, data);
    *passed = transfer.passed;
    return transfer.from;
}

#endif
