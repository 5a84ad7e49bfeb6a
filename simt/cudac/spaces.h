/* spaces.h: refuses declarations that nvcc refuses for where their variable lives or their function runs. Internal
 * to cudac.
 *
 * It checks what the words of one declaration show. Calls between functions are checked after g++ has read them, in
 * simt/spaces/. */
#ifndef CUDAC_SPACES_H
#define CUDAC_SPACES_H

#include "declare.h"

enum { SPACES_DEPTH = 128 }; /* nested blocks that are followed */

/* The place of the walk over a unit. Starts as zeros. */
struct spaces_walk {
    struct spaces_block {
        enum { SCOPE_NAMESPACE, SCOPE_RECORD, SCOPE_FUNCTION } scope;
        bool on_device, on_host; /* of a function: where it runs */
        bool number;             /* the function returns a number */
        unsigned parentheses;    /* parentheses open where the block began */
    } blocks[SPACES_DEPTH];
    struct {
        size_t body; /* its {; 0: none */
        bool on_device, on_host;
    } lambda;             /* the last lambda that is marked __host__ or __device__ */
    unsigned depth;       /* open blocks, including those nested too deeply to follow */
    unsigned parentheses; /* parentheses open in this block */
    unsigned conditions;  /* open #if, #ifdef and #ifndef */
    size_t start;         /* the first token of the current declaration or statement */
};

/* Moves the walk to token i. Returns false, with the error filled in, when nvcc refuses the declaration there. */
bool spaces_step(const struct unit *unit, struct spaces_walk *walk, size_t i);

#endif
