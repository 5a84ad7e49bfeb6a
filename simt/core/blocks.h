/* blocks.h: the number of instructions in each basic block of a module. Internal.
 *
 * g++ -fsanitize-coverage=trace-pc begins each block with a call of __sanitizer_cov_trace_pc. The linker's
 * --emit-relocs keeps the positions of those calls in the file, in the same format for every machine. */
#ifndef SIMT_BLOCKS_H
#define SIMT_BLOCKS_H

#include "core/module.h"

/* Calls are at least this many bytes apart, so that each has an entry of its own in a table of few cache lines. */
enum { BLOCKS_APART = 4 };

struct blocks {
    const char *begin; /* start of the module's code */
    size_t bytes;
    /* [bytes / BLOCKS_APART + 1], by the return address of the call that begins a block: */
    uint32_t *weight; /* its number of instructions, */
    uint32_t *cost;   /* and what it spends of the budget, in which calls of libraries count more */
};

/* The blocks of the module that contains this code address; its file is read once. `bytes` is 0 when the code is
 * not translated. */
const struct blocks *blocks_of_code(const void *code);

/* The entry of one of these tables for the block whose call returns to this address; 1 when it is unknown. */
static inline unsigned blocks_entry(const struct blocks *blocks, const uint32_t *table,
                                    const void *after_call)
{
    const size_t at = (size_t)((const char *)after_call - blocks->begin);
    return at < blocks->bytes ? table[at / BLOCKS_APART] : 1;
}

#endif
