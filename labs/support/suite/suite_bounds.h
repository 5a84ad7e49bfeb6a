/* suite_bounds.h: bounds on the memory in which a part works, which parts of different labs share. The meters:
 *     blocks, launches    of all kernels in the call
 *     global elements     elements that threads, copies and fills read and write in global memory; each access counts
 *     shared elements     elements that a block accesses in shared memory, each counted once; the maximum of all blocks */
#ifndef LABS_SUITE_BOUNDS_H
#define LABS_SUITE_BOUNDS_H

#include "suite.h"

uint64_t bounds_one(size_t n);          /* 1 */
uint64_t bounds_of_reduction(size_t n); /* 2n */
uint64_t bounds_of_scan(size_t n);      /* 3n + 64 */
uint64_t bounds_of_buffer(size_t n);    /* TILE + 64 */

#define IN_ONE_BLOCK                                                                                         \
    {                                                                                                        \
        "blocks", "1: the contract asks for one block", bounds_one                                           \
    }
#define IN_ONE_LAUNCH                                                                                        \
    {                                                                                                        \
        "launches", "1: the contract asks for one launch", bounds_one                                        \
    }
/* A tree in global memory would access 3n elements. */
#define REDUCES_IN_SHARED                                                                                    \
    {                                                                                                        \
        "global elements", "2n: the input is read once, and the tree is in shared memory",                   \
            bounds_of_reduction                                                                              \
    }
/* Up-sweep and down-sweep in global memory would access 7n elements; log steps 3n log2 n. */
#define SCANS_IN_SHARED                                                                                      \
    {                                                                                                        \
        "global elements",                                                                                   \
            "3n + 64: the input is read and the output written once, and the steps between "                 \
            "are in shared memory",                                                                          \
            bounds_of_scan                                                                                   \
    }
#define IN_ONE_BUFFER                                                                                        \
    {                                                                                                        \
        "shared elements", "TILE + 64: one buffer, and a few sums", bounds_of_buffer                         \
    }

#endif
