/* spaces.h: what a declaration may not say of where it lives and runs. Internal to cudac.
 *
 * Only what the words of one declaration show. Who calls whom is judged after g++ has read them: simt/spaces/. */
#ifndef CUDAC_SPACES_H
#define CUDAC_SPACES_H

#include "declare.h"

enum { SPACES_DEPTH = 128 }; /* blocks within blocks that are told apart */

/* Where the walk over a unit is. Begins as zeros. */
struct spaces_walk {
    struct spaces_block {
        enum { SCOPE_NAMESPACE, SCOPE_RECORD, SCOPE_FUNCTION } scope;
        bool on_device, on_host; /* of a function: where it runs */
        unsigned parentheses;    /* that were open where the block began */
    } blocks[SPACES_DEPTH];
    unsigned depth;       /* blocks open, those too deep included */
    unsigned parentheses; /* open in this block */
    unsigned conditions;  /* #if and its like that are open */
    size_t start;         /* the first token of the declaration or statement that the walk is in */
};

/* The walk comes to token i. False, with the error filled in, when nvcc refuses what is declared there. */
bool spaces_step(const struct unit *unit, struct spaces_walk *walk, size_t i);

#endif
