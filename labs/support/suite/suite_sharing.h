/* suite_sharing.h: is a result the work of kernels, and do their threads share it?
 *
 * What every part is judged by, as each lab's contract says:
 *     - the host copies no more than one value into outputs: kernels make them, or copies and fills within the device;
 *     - with FEW_ELEMENTS or more, the span is at most nine tenths of all memory accesses and combines, and with more
 *       than 500 at most half; and no thread makes more than that of the combines that join two parts, or of the
 *       writes to outputs;
 *     - with MANY_ELEMENTS or more, no block makes more than nine tenths of any of these.
 * And by the rows of its `shared` list, on the meters
 *     span          the longest chain of memory accesses and combines, each of which comes after the one before
 *     local accesses by one thread    to its local arrays, which the span leaves out
 *     host bytes    that went from the device to the host; without a row, none may */
#ifndef LABS_SUITE_SHARING_H
#define LABS_SUITE_SHARING_H

#include "suite.h"

enum {
    MANY_ELEMENTS = 40000, /* enough for more than one block of any size that is good */
    FEW_ELEMENTS = 64,     /* enough for more than one thread */
    VALUE_BYTES = 16       /* of a value that the host may copy into an output: IDENTITY, an order */
};

/* EXECUTED is the name of a meter and of a row in `shared`: the instructions that the busiest thread executes, added up over
 * the launches. Every part has such a bound; without a row of its own that is
 *     4n, at least 4096    for a part of one tile, from EXECUTED_OF_TILE_FROM elements on
 *     2n                   for a part of any length, from EXECUTED_FROM elements on
 * and two or four times that for the operators that prove. A thread's share of the input costs much less. A loop over the whole input costs
 * more than that, with a load, an operation and the loop's own instructions for each element, also when every thread repeats it,
 * and also in registers. The longest chain of instructions from thread to thread has the same bound, with 64 more for each
 * tile, whose blocks may wait for each other. */
#define EXECUTED "instructions by one thread"
enum { EXECUTED_OF_TILE_FROM = 500, EXECUTED_FROM = 20000 };
uint64_t sharing_executed(size_t n);
uint64_t sharing_executed_of_tile(size_t n);

/* An image of so few rows or columns that nothing there could be shared by a thread for each. */
bool suite_is_narrow(size_t n);

/* Bounds on the span that parts of different labs share, for n elements.
 * Of one tile, in one block:  n + 64; one thread alone needs 2n
 * Each element by itself:     n / 32 + 512; so few threads may share them
 * A reduction of any length:  the same
 * A scan of any length:       n / 8 + 16 ceil(n / TILE) + 1024: 16 for a block that waits for the one before it */
uint64_t sharing_span_of_tile(size_t n);
uint64_t sharing_span_of_map(size_t n);
uint64_t sharing_span_of_scan(size_t n);

#define SHARED_TILE                                                                                          \
    {                                                                                                        \
        "span", "n + 64: one thread alone needs 2n", sharing_span_of_tile                                    \
    }
#define SHARED_MAP                                                                                           \
    {                                                                                                        \
        "span", "n / 32 + 512", sharing_span_of_map                                                          \
    }
#define SHARED_SCAN                                                                                          \
    {                                                                                                        \
        "span", "n / 8 + 16 ceil(n / TILE) + 1024", sharing_span_of_scan                                     \
    }

/* What the host may have: a few numbers, such as counts; or partial sums. */
uint64_t sharing_bytes_of_numbers(size_t n);
uint64_t sharing_bytes_of_sums(size_t n);

#define EXECUTED_OF_SORT                                                                                     \
    {                                                                                                        \
        EXECUTED, "20n + 65536: 32 passes, which each thread works a little in", sharing_executed_of_sort    \
    }
uint64_t sharing_executed_of_sort(size_t n);

#define HOST_NUMBERS                                                                                         \
    {                                                                                                        \
        "host bytes", "64: a few numbers", sharing_bytes_of_numbers                                          \
    }
#define HOST_SUMS                                                                                            \
    {                                                                                                        \
        "host bytes", "4096: 512 partial sums of 8 bytes", sharing_bytes_of_sums                             \
    }

#endif
