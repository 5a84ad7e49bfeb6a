/* cudac.h: the source translator, CUDA C to C++, as a function.
 *
 * It rewrites what g++ cannot parse:
 *   kernel<<<G, B, S, T>>>(arguments)   a call of simt::launch
 *   extern __shared__ T name[];         T (&name)[] = simt::dynamic_shared;
 *   extern __shared__ T name[32];       __shared__ T name[32];
 *   __device__ T variable;              __device__ __simt_variable T variable;
 *   __constant__ T a, b;                __constant__ T a; __constant__ T b;
 *   cudaLaunchKernel((void *)kernel     cudaLaunchKernel(kernel
 *   #include "own.cuh"                  #include of its translation, where the caller has one
 *
 * and behind the local arrays of device functions it adds what tells the device of them:
 *   T name[4];                          T name[4]; simt::local simt_local_120(name, "name");
 *
 * Every newline stays where it was, so a compiler's error and a debugger's line are the student's own. */
#ifndef CUDAC_H
#define CUDAC_H

#include <stdbool.h>
#include <stddef.h>

struct cudac_error {
    size_t line;         /* from 1; 0 when the error has no place */
    size_t column;       /* from 1, in bytes */
    const char *message; /* one line, static */
    const char *hint;    /* what to try; static, may be null */
    const char *file;    /* of a header; null: the source itself */
};

/* How headers of the program's own are found. */
struct cudac_headers {
    /* The translation of the header that the source names as "spelled": its path, which stays the callee's. Null when
     * it is none of the program's, or, with *error filled in, when it cannot be translated. */
    const char *(*find)(void *context, const char *spelled, struct cudac_error *error);
    void *context;
};

/* Translates source[0 .. size). `name` is the file name that the output's #line gives the compiler; `headers` may be
 * null, and then every #include stays as it is.
 * Returns the output, *output_size bytes without a 0 behind them, that the caller frees; or null, with *error filled in. */
char *cudac_translate(const char *source, size_t size, const char *name, const struct cudac_headers *headers,
                      size_t *output_size, struct cudac_error *error);

#endif
