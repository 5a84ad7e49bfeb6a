/* compaction.cu: lab 4, keeping some elements of an array. The contract is in labs/4-compaction/compaction.h.
 *
 * The loop                      one element after another; each has to know how many were kept before it
 * Part 1    map_to_boolean      1 where an element is kept, 0 where it is not
 * Part 2    scatter             every kept element to its slot
 * Part 3    compact             flags, scan, scatter: any length, the order kept
 * Part 4    compact_warp        a warp counts 32 flags in one instruction, and a section of 256 elements by itself
 *
 * keep(x) says whether x is kept. stock_scan_exclusive scans an array of unsigned on the device. */
#include "compaction.h"

enum {
    THREADS = 256, /* of a block */
    WARP    = 32
};

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * What compact computes. It runs on the CPU and nothing calls it: it is here to be read. The slot of an
 * element is `count`, which every kept element before it has raised by one: the exclusive scan of the flags.
 *
 *     in           3  0  7  0  0  1  6  0
 *     flags        1  0  1  0  0  1  1  0
 *     count        0  1  1  2  2  2  3  4        before each element
 *     out          3  7  1  6                    and 4 in the end */
size_t compact_sequential(const int *in, int *out, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (keep(in[i]))
            out[count++] = in[i];
    return count;
}

/* Enough blocks for a thread an element. */
unsigned blocks_for(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* ---- Part 1: flags ----------------------------------------------------------------------------------
 *
 * The predicate runs once for each element, and all that follows looks at the flags only. A flag is a number
 * and not a bool, because the scan adds flags up. */

/* One thread an element, the last block with threads to spare. */
__global__ void map_to_boolean_kernel(const int *in, unsigned *flags, size_t n)
{
    /* TODO: compute this thread's index as a size_t. Write 1 or 0. Threads past n do nothing. */
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    /* TODO: launch the kernel; nothing for n = 0, since a grid of 0 blocks is an error. */
}

/* ---- Part 2: scatter --------------------------------------------------------------------------------
 *
 * slots[i] is the number of elements that are kept before element i. No two kept elements have the same slot,
 * so all of them can move at once, with no barrier and no atomic:
 *
 *     in           3  0  7  0  0  1  6  0
 *     flags        1  0  1  0  0  1  1  0
 *     slots        0  1  1  2  2  2  3  4
 *                  |     |        |  |
 *                  |   +-+        |  |
 *                  |   |   +------+  |
 *                  |   |   |   +-----+
 *     out          3   7   1   6
 *
 * A dropped element has a slot too, which belongs to the next kept one: it must keep out. */

/* One thread an element. */
__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out,
                               size_t n)
{
    /* TODO: a flagged element goes to its slot. Ask the flag and not keep(): the flags decide here. */
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    /* TODO: launch the kernel; nothing for n = 0. */
}

/* ---- Part 3: compact --------------------------------------------------------------------------------
 *
 * Map, scan, scatter. The scan turns the question "how many before me?", which the loop answers one element
 * after another, into one that all threads answer together.
 *
 * The count is the sum of all flags. An exclusive scan leaves the last flag out: count = slots[n - 1] +
 * flags[n - 1]. Both lie on the device; cudaMemcpy brings them to the host and waits until they are there. */
size_t compact(const int *in, int *out, size_t n)
{
    size_t count = 0;

    /* TODO: nothing for n = 0. Else allocate flags and slots, n elements each; map, stock_scan_exclusive,
     * scatter; fetch the last slot and the last flag, whose sum is the count; free what you allocated. */

    return count;
}

/* ---- Part 4: ballots --------------------------------------------------------------------------------
 *
 * In a warp the scan of 32 flags needs no memory. __ballot_sync hands every lane the flags of the whole warp
 * as the bits of one number, bit l from lane l. __popc counts the bits that are set:
 *
 *     lane                7  6  5  4  3  2  1  0       (of 8, to fit the page)
 *     kept                0  1  1  0  0  1  0  1
 *     votes             = binary 01100101              __popc(votes) = 4 are kept
 *     below lane 5      = binary 00011111
 *     votes & below     = binary 00000101              2 are kept before lane 5: its rank is 2
 *
 * One pass counts for each warp, a scan of the counts tells where each warp's elements begin, and a second
 * pass votes once more and moves. A warp takes ROWS rows of 32 elements, one vote each: 8 bytes of flag and slot
 * an element become 8 bytes for every 256 elements, and the scan is that much shorter. And a lane asks the memory
 * for all of its elements before it uses the first, which hides most of the wait. Every lane of the warp votes,
 * also those past the end. */

enum : unsigned { ALL_LANES = 0xffffffffu };

enum {
    ROWS    = 8,          /* elements that a lane handles */
    SECTION = ROWS * WARP /* elements that a warp handles: element i belongs to warp i / SECTION */
};

/* Enough blocks for all warps. */
unsigned blocks_of_sections(size_t n)
{
    return (unsigned)((n + ROWS * THREADS - 1) / (ROWS * THREADS));
}

/* counts[w] is the number of elements that warp w keeps. */
__global__ void count_warp_kernel(const int *in, unsigned *counts, size_t n)
{
    /* TODO: for each row of this warp's section, all 32 lanes vote: a lane past n votes 0, without reading.
     * Lane 0 stores the number of votes, if its first element is there at all: the last block may have warps
     * with nothing to do. */
}

/* begins[w] is the slot of the first element that warp w keeps. */
__global__ void scatter_warp_kernel(const int *in, const unsigned *begins, int *out, size_t n)
{
    /* TODO: load this lane's element of each row first, then vote row by row as before. A kept element's slot
     * is the begin of its row and the number of votes from lanes below its own; a row begins where the one
     * before it ends, the first where its warp does. */
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    size_t count = 0;

    /* TODO: nothing for n = 0. Else count for each warp, scan those counts, scatter. The last begin and the
     * last count add up to the whole count. */

    return count;
}
