/* blocks.h: how many instructions the basic blocks of a module have. Internal.
 *
 * g++ -fsanitize-coverage=trace-pc begins each block with a call of __sanitizer_cov_trace_pc. The linker's --emit-relocs
 * keeps where those calls are, for every machine in the same way. */
#ifndef SIMT_BLOCKS_H
#define SIMT_BLOCKS_H

#include "core/module.h"

struct blocks {
    const char *begin; /* of the module's code */
    size_t bytes;
    uint16_t
        *weight; /* [bytes] by the address to which the call at the block's begin returns; null: not known */
};

/* Of the module that holds the code address: read from its file once. No bytes when the code is not translated. */
const struct blocks *blocks_of_code(const void *code);

/* What a block counts whose call returns to this address: 1 when that is not known. */
static inline unsigned blocks_weight(const struct blocks *blocks, const void *after_call)
{
    const size_t at = (size_t)((const char *)after_call - blocks->begin);
    return at < blocks->bytes && blocks->weight[at] > 0 ? blocks->weight[at] : 1;
}

#endif
