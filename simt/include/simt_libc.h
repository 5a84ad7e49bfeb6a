/* simt_libc.h: C library functions with another meaning in translated code. C++, internal to cuda_runtime.h.
 *
 * They are declared with other symbols before <stdlib.h> and <string.h> are read, so that every use calls those,
 * including the compiler's own copies of large structs. malloc and free use the device's heap in a kernel and the
 * host's in host code, where free(d_in) is detected too. memcpy and similar functions are checked like the code's
 * own accesses. */
#ifndef SIMT_LIBC_H
#define SIMT_LIBC_H

#include <stddef.h>

struct _IO_FILE;

extern "C" {
void *malloc(size_t bytes) noexcept(true) __asm__("simt_malloc");
void *calloc(size_t count, size_t bytes) noexcept(true) __asm__("simt_calloc");
void *realloc(void *pointer, size_t bytes) noexcept(true) __asm__("simt_realloc");
void free(void *pointer) noexcept(true) __asm__("simt_free");
void *memcpy(void *to, const void *from, size_t bytes) noexcept(true) __asm__("simt_memcpy");
void *memmove(void *to, const void *from, size_t bytes) noexcept(true) __asm__("simt_memmove");
void *memset(void *to, int value, size_t bytes) noexcept(true) __asm__("simt_memset");
void *mempcpy(void *to, const void *from, size_t bytes) noexcept(true) __asm__("simt_mempcpy");
void bcopy(const void *from, void *to, size_t bytes) noexcept(true) __asm__("simt_bcopy");
void bzero(void *to, size_t bytes) noexcept(true) __asm__("simt_bzero");
int memcmp(const void *__left, const void *__right, size_t bytes) noexcept(true) __asm__("simt_memcmp");
char *strcpy(char *to, const char *from) noexcept(true) __asm__("simt_strcpy");
char *stpcpy(char *to, const char *from) noexcept(true) __asm__("simt_stpcpy");
char *strncpy(char *to, const char *from, size_t bytes) noexcept(true) __asm__("simt_strncpy");
char *strcat(char *to, const char *from) noexcept(true) __asm__("simt_strcat");
char *strncat(char *to, const char *from, size_t bytes) noexcept(true) __asm__("simt_strncat");
int strcmp(const char *__left, const char *__right) noexcept(true) __asm__("simt_strcmp");
int strncmp(const char *__left, const char *__right, size_t bytes) noexcept(true) __asm__("simt_strncmp");

/* g++ calls this where an object is thrown. */
void *__cxa_allocate_exception(size_t bytes) noexcept(true) __asm__("simt_allocate_exception");

/* Other functions that a kernel may call and that access memory their caller names, and functions that print. */
size_t strlen(const char *__text) noexcept(true) __asm__("simt_strlen");
int sprintf(char *to, const char *format, ...) noexcept(true) __asm__("simt_sprintf");
int snprintf(char *to, size_t bytes, const char *format, ...) noexcept(true) __asm__("simt_snprintf");
int printf(const char *format, ...) __asm__("simt_printf");
int vprintf(const char *format, __builtin_va_list __arguments) __asm__("simt_vprintf");
int fprintf(struct _IO_FILE *stream, const char *format, ...) __asm__("simt_fprintf");
int fputs(const char *__text, struct _IO_FILE *stream) __asm__("simt_fputs");
int puts(const char *__text) __asm__("simt_puts");
int fputc(int c, struct _IO_FILE *stream) __asm__("simt_fputc");
int putc(int c, struct _IO_FILE *stream) __asm__("simt_fputc");
int fflush(struct _IO_FILE *stream) __asm__("simt_fflush");
#define SIMT_NUMBERS(type, tail)                                                                             \
    type frexp##tail(type x, int *__exponent) noexcept(true) __asm__("simt_frexp" #tail);                    \
    type modf##tail(type x, type *__whole) noexcept(true) __asm__("simt_modf" #tail);                        \
    type remquo##tail(type x, type y, int *__quotient) noexcept(true) __asm__("simt_remquo" #tail);          \
    void sincos##tail(type x, type *__sine, type *__cosine) noexcept(true) __asm__("simt_sincos" #tail);     \
    type fmod##tail(type x, type y) noexcept(true) __asm__("simt_fmod" #tail);                               \
    type remainder##tail(type x, type y) noexcept(true) __asm__("simt_remainder" #tail);                     \
    type jn##tail(int, type x) noexcept(true) __asm__("simt_jn" #tail);                                      \
    type yn##tail(int, type x) noexcept(true) __asm__("simt_yn" #tail);
SIMT_NUMBERS(double, )
SIMT_NUMBERS(float, f)
SIMT_NUMBERS(long double, l)
#undef SIMT_NUMBERS
}

/* The functions that std::copy, std::vector and others call. */
#define __builtin_memcpy  memcpy
#define __builtin_memmove memmove
#define __builtin_memset  memset
#define __builtin_frexpf  frexpf
#define __builtin_frexpl  frexpl
#define __builtin_modff   modff
#define __builtin_modfl   modfl
#define __builtin_remquof remquof
#define __builtin_remquol remquol

/* std::fmod and std::remainder are constexpr. */
#define SIMT_CONSTANT_OR(builtin, function, x, y)                                                            \
    (__builtin_is_constant_evaluated() ? builtin(x, y) : function(x, y))
#define __builtin_fmodf(x, y)      SIMT_CONSTANT_OR(__builtin_fmodf, fmodf, x, y)
#define __builtin_fmodl(x, y)      SIMT_CONSTANT_OR(__builtin_fmodl, fmodl, x, y)
#define __builtin_remainderf(x, y) SIMT_CONSTANT_OR(__builtin_remainderf, remainderf, x, y)
#define __builtin_remainderl(x, y) SIMT_CONSTANT_OR(__builtin_remainderl, remainderl, x, y)

#endif
