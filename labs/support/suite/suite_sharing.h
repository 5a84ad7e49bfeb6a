/* suite_sharing.h: is a result the work of kernels, and do their threads share it?
 *
 * Every part is judged by these rules, as each lab's contract says:
 *     - the host copies at most one value into outputs; the rest is written by kernels, or copies and fills in the device;
 *     - from FEW_ELEMENTS elements on, the span is at most nine tenths of all memory accesses and combines, and above 500
 *       elements at most half; and no thread makes more than that part of the combines that join two parts, or of the
 *       writes to outputs;
 *     - from MANY_ELEMENTS elements or MANY_PIXELS pixels on, no block makes more than nine tenths of any of these.
 * And by the rows of its `shared` list, on the meters
 *     span          the longest chain of memory accesses and combines that come after one another
 *     local accesses by one thread    accesses to its local arrays, which the span omits
 *     host bytes    bytes that went from the device to the host; without a row, none may */
#ifndef LABS_SUITE_SHARING_H
#define LABS_SUITE_SHARING_H

#include "suite.h"

enum {
    MANY_ELEMENTS = 40000, /* enough for more than one block of any reasonable size, */
    MANY_PIXELS = 90000,   /* also if each row or column has one thread; only chosen shapes have so many */
    FEW_ELEMENTS = 64,     /* enough for more than one thread */
    VALUE_BYTES = 16       /* size of a value that the host may copy into an output: IDENTITY, an order */
};

/* EXECUTED is the name of a meter and of a row in `shared`: the instructions of the busiest thread, summed over the
 * launches. Every part has such a bound. Without a row of its own it is
 *     4n, at least 4096    for a part of one tile, from EXECUTED_OF_TILE_FROM elements on
 *     2n, at least 8192    for a part of any length, from EXECUTED_FROM elements on
 * and two or five times that for monoids of structs. A row of a part of any length holds from MANY_ELEMENTS elements
 * on, or from the part's own `many` if that is shorter, because what its launches execute is as much as a loop over a
 * short input. In images it holds from 64 rows and columns on. A thread's share of the input costs much less. A loop
 * over the whole input costs more, because each element takes a load, an operation and the loop's own instructions.
 * This also holds if every thread repeats the loop or if the data is in registers. The longest chain of instructions
 * from thread to thread has the same bound plus 64 for each tile, because the blocks of tiles may wait for each other. */
#define EXECUTED "instructions by one thread"
enum { EXECUTED_OF_TILE_FROM = 500, EXECUTED_FROM = 3000 };
uint64_t sharing_executed(size_t n);
uint64_t sharing_executed_of_tile(size_t n);

/* For the reply of a call that was right: if one thread appears to be the only one that works, the meters measure a call of
 * the same length, and it is judged. So no length is exempt, although most calls are made without meters. */
void suite_judge_shares(const struct suite_case *is, const struct call_reply *reply);

/* Does an image have so few rows or columns that one thread for each could share no work? */
bool suite_is_narrow(size_t n);

/* Bounds on the span that parts of different labs share, for n elements.
 * One tile in one block:     n + 64; one thread alone needs 2n
 * Independent elements:      n / 32 + 512; so few threads may share them
 * Reduction of any length:   the same
 * Scan of any length:        n / 8 + 16 ceil(n / TILE) + 1024: 16 for a block that waits for its predecessor */
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

/* Bytes that the host may have: a few numbers, such as counts; or partial sums. */
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
