/* local.h: local arrays of device functions. Internal to cudac. */
#ifndef CUDAC_LOCAL_H
#define CUDAC_LOCAL_H

#include "declare.h"

enum { LOCAL_DEPTH = 128 }; /* blocks within blocks that are looked into */

/* Where the walk over a unit is, as far as blocks go. Begins as zeros. */
struct local_walk {
    struct local_block {
        enum { BLOCK_OTHER, BLOCK_STATEMENTS, BLOCK_SWITCH } kind;
        bool device;          /* in a __global__ or __device__ function */
        bool kernel;          /* a `return` here ends a __global__ function */
        unsigned parentheses; /* that were open where the block began */
    } blocks[LOCAL_DEPTH];
    unsigned depth;       /* blocks open, those too deep included */
    unsigned parentheses; /* open in this block */
    bool device;          /* __global__ or __device__ stands among the specifiers so far */
    bool kernel;          /* __global__ does */
    size_t bounds;        /* the ( of a __launch_bounds__ among them; or 0 */
};

/* The walk comes to token i. Where a local array without an initializer has just been declared, an object is
 * declared behind it that tells the device its place: see simt::local. A `return;` of a kernel, or of a macro that
 * may stand in one, calls simt_thread_returns. A kernel with __launch_bounds__ begins with a call that checks them. */
void local_step(const struct unit *unit, struct local_walk *walk, size_t i);

#endif
