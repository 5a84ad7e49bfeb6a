/* arch.h: what differs between machines, in a header for each: registers, pages, and how a fiber is entered.
 * How g++ compiles a kernel for each of them is in simt/module.mk. Internal.
 *
 *   ARCH_PAGE                       bytes: a multiple of the pages of any Linux kernel for this machine
 *   arch_kernel_page()              bytes of a page of the kernel that runs: what mincore() tells of
 *   arch_instruction(context)       where a signal interrupted the program
 *   arch_stack(context)             the stack pointer there
 *   arch_frames_above(frame)        where the frames of a function's callers begin, by its frame pointer: all that it made
 *                                   itself is below
 *   arch_jump(to, data, &passed)    Boost.Context's jump_fcontext: see fiber.h */
#ifndef SIMT_ARCH_H
#define SIMT_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

#if defined(__x86_64__)
#include "core/arch_x86_64.h"
#elif defined(__aarch64__)
#include "core/arch_arm64.h"
#else
#error "the CPU device runs on x86-64 and arm64; for another machine write a header like core/arch_arm64.h"
#endif

static inline size_t arch_kernel_page(void)
{
    return getauxval(AT_PAGESZ);
}

#endif
