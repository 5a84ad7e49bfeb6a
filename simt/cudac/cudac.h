/* cudac.h: the source translator, from CUDA C to C++, as a function.
 *
 * It rewrites what g++ cannot parse:
 *   kernel<<<G, B, S, T>>>(arguments)   a call of simt::__launch
 *   extern __shared__ T name[];         T (&name)[] = simt::__dynamic_shared;
 *   extern __shared__ T name[32];       __shared__ T name[32];
 *   __device__ T variable;              __device__ __simt_variable T variable;
 *   __constant__ T a, b;                __constant__ T a; __constant__ T b;
 *   cudaLaunchKernel((void *)kernel     cudaLaunchKernel(kernel
 *   #include "own.cuh", <own.cuh>       #include of its translation, if the caller has one
 *
 * It also adds objects that report the local arrays of device functions to the device:
 *   T name[4];                          T name[4]; simt::__local_array simt_local_120(name, "name");
 *
 * Every newline stays in its place, so that a compiler's errors and a debugger's lines are those of the student's
 * file. */
#ifndef CUDAC_H
#define CUDAC_H

#include <stdbool.h>
#include <stddef.h>

struct cudac_error {
    size_t line;         /* counted from 1; 0 when the error has no place */
    size_t column;       /* counted from 1, in bytes */
    const char *message; /* one line, static */
    const char *hint;    /* what to try; static, may be null */
    const char *file;    /* the header with the error; null for the source itself */
};

/* Whether device code may call host functions that are constexpr, as with --expt-relaxed-constexpr of nvcc. Functions that
 * g++ evaluates itself are checked here, the others by simt/spaces. */
extern bool cudac_relaxed_constexpr;

/* How the program's own headers are found. */
struct cudac_headers {
    /* Returns the path of the translation of the header that the source names as "spelled", or as <spelled> when it
     * is not `quoted`; the callee keeps the path. Returns null when the header is not one of the program's, and also, with *error filled in, when it
     * cannot be translated. */
    const char *(*find)(void *context, const char *spelled, bool quoted, struct cudac_error *error);
    void *context;
};

/* Translates source[0 .. size). `name` is the file name that the output's #line gives the compiler. `headers` may
 * be null; then every #include stays as it is. Returns *output_size bytes without a terminating 0, which the caller
 * frees, or null with *error filled in. */
char *cudac_translate(const char *source, size_t size, const char *name, const struct cudac_headers *headers,
                      size_t *output_size, struct cudac_error *error);

/* Returns the source for nvcc, with delays put in: see delays.c, and labs/support/call/delays.cuh for what they do. Only
 * the file itself gets them, not its headers and macros. `seed` chooses other threads and times. The rest is as above. */
char *cudac_delay(const char *source, size_t size, const char *name, unsigned long seed, size_t *output_size,
                  struct cudac_error *error);

#endif
