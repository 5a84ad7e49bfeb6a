/* simt_libc.h: C library functions that mean something else in translated code. C++, internal to
 * cuda_runtime.h.
 *
 * Declared under other names before <stdlib.h> and <string.h> are read, so that every use goes to those, the
 * compiler's own copies of large structs included. malloc and free take from the device's heap in a kernel,
 * and from the host's in host code, which is also where free(d_in) is caught. memcpy and its like are
 * checked as the code's own accesses are. */
#ifndef SIMT_LIBC_H
#define SIMT_LIBC_H

#include <stddef.h>

extern "C" {
void *malloc(size_t bytes) noexcept(true) __asm__("simt_malloc");
void free(void *pointer) noexcept(true) __asm__("simt_free");
void *memcpy(void *to, const void *from, size_t bytes) noexcept(true) __asm__("simt_memcpy");
void *memmove(void *to, const void *from, size_t bytes) noexcept(true) __asm__("simt_memmove");
void *memset(void *to, int value, size_t bytes) noexcept(true) __asm__("simt_memset");
void *mempcpy(void *to, const void *from, size_t bytes) noexcept(true) __asm__("simt_mempcpy");
void bcopy(const void *from, void *to, size_t bytes) noexcept(true) __asm__("simt_bcopy");
void bzero(void *to, size_t bytes) noexcept(true) __asm__("simt_bzero");
}

/* What std::copy, std::vector and so on call. */
#define __builtin_memcpy  memcpy
#define __builtin_memmove memmove
#define __builtin_memset  memset

#endif
