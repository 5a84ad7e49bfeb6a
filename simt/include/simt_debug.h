/* simt_debug.h: in builds for gdb, adds an instruction before each barrier and fence. These are inlined, so a line
 * with nothing else would have no code of its own, and a breakpoint there would stop at the next line. */
#ifndef SIMT_DEBUG_H
#define SIMT_DEBUG_H

#define __syncthreads()                                                                                      \
    ({                                                                                                       \
        __asm__ volatile("nop");                                                                             \
        __syncthreads();                                                                                     \
    })
#define __syncwarp(...)                                                                                      \
    ({                                                                                                       \
        __asm__ volatile("nop");                                                                             \
        __syncwarp(__VA_ARGS__);                                                                             \
    })
#define __threadfence()                                                                                      \
    ({                                                                                                       \
        __asm__ volatile("nop");                                                                             \
        __threadfence();                                                                                     \
    })
#define __threadfence_block()                                                                                \
    ({                                                                                                       \
        __asm__ volatile("nop");                                                                             \
        __threadfence_block();                                                                               \
    })

#endif
