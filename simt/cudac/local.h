/* local.h: marks local arrays of device functions, returns of kernels and launch bounds. Internal to cudac. */
#ifndef CUDAC_LOCAL_H
#define CUDAC_LOCAL_H

#include "declare.h"

enum { LOCAL_DEPTH = 128 }; /* nested blocks that are followed */

/* The blocks at the current token of the walk over a unit. Starts as zeros. */
struct local_walk {
    struct local_block {
        enum { BLOCK_OTHER, BLOCK_STATEMENTS, BLOCK_SWITCH } kind;
        bool device;          /* in a __global__ or __device__ function */
        bool host;            /* in a function that is __host__, too */
        bool kernel;          /* a `return` here ends a __global__ function */
        unsigned parentheses; /* parentheses open where the block began */
        size_t body;          /* the { of the function that it is in, or 0 */
        size_t parameters;    /* the < of the parameters of the template that it is in, or 0 */
    } blocks[LOCAL_DEPTH];
    unsigned depth;       /* open blocks, including those nested too deeply to follow */
    unsigned parentheses; /* parentheses open in this block */
    bool device;          /* whether the specifiers so far include __global__ or __device__ */
    bool host;            /* whether they include __host__ */
    bool kernel;          /* whether they include __global__ */
    size_t parameters;    /* the < of the parameters of the template that is declared, or 0 */
    size_t twice;         /* the { of the last body that is written twice, for device and host, or 0 */
    size_t bounds;        /* the ( of a __launch_bounds__ among the specifiers, or 0 */
};

/* The innermost block at the current token; one of kind BLOCK_OTHER when it is nested too deeply, or in none. */
struct local_block local_block(const struct local_walk *walk);

/* Moves the walk to token i. After the declaration of a local array without an initializer, inserts an object that
 * reports the array's place to the device: see simt::__local_array. Makes a `return;` of a kernel, or of a macro that may
 * be used in one, call simt_thread_returns. Makes a kernel with __launch_bounds__ begin with a call that checks
 * them. */
void local_step(const struct unit *unit, struct local_walk *walk, size_t i);

#endif
