/* compaction.cu: lab 4, keeping some elements of an array. The contract is in labs/4-compaction/compaction.h.
 *
 * The loop                      one element after another; each needs the number kept before it
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
 * The predicate runs once for each element, and all later steps read the flags only. A flag is a number
 * and not a bool, because the scan adds flags up. */

/* One thread for each element; the last block has spare threads. */
__global__ void map_to_boolean_kernel(const int *in, unsigned *flags, size_t n)
{
    /* TODO: one flag, 1 or 0. The index is a size_t, and the last block has spare threads. */
    /* solution */
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        flags[i] = keep(in[i]) ? 1 : 0;
    /* end solution */
}

void map_to_boolean(const int *in, unsigned *flags, size_t n)
{
    /* TODO: launch the kernel; nothing for n = 0, since a grid of 0 blocks is an error. */
    /* solution */
    if (n > 0)
        map_to_boolean_kernel<<<blocks_for(n), THREADS>>>(in, flags, n);
    /* end solution */
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
 * A dropped element has a slot too, which belongs to the next kept one: it must not write there. */

/* One thread an element. */
__global__ void scatter_kernel(const int *in, const unsigned *flags, const unsigned *slots, int *out,
                               size_t n)
{
    /* TODO: move the flagged elements. Only the flag decides: do not call keep(). */
    /* solution */
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n && flags[i])
        out[slots[i]] = in[i];
    /* end solution */
}

void scatter(const int *in, const unsigned *flags, const unsigned *slots, int *out, size_t n)
{
    /* TODO: launch the kernel; nothing for n = 0. */
    /* solution */
    if (n > 0)
        scatter_kernel<<<blocks_for(n), THREADS>>>(in, flags, slots, out, n);
    /* end solution */
}

/* ---- Part 3: compact --------------------------------------------------------------------------------
 *
 * Map, scan, scatter. The scan turns the question "how many before me?", which the loop answers one element
 * after another, into one that all threads answer together.
 *
 * The count is the sum of all flags. An exclusive scan leaves the last flag out: count = slots[n - 1] +
 * flags[n - 1]. Both are in device memory; cudaMemcpy copies them to the host, after the kernels have finished. */
size_t compact(const int *in, int *out, size_t n)
{
    size_t count = 0;

    /* TODO: the three steps, on arrays of your own. What is the count, and where is it? What if n is 0? Free what
     * you allocate. */
    /* solution */
    if (n == 0)
        return 0;

    unsigned *flags, *slots, last_flag, last_slot;
    cudaMalloc(&flags, n * sizeof *flags);
    cudaMalloc(&slots, n * sizeof *slots);

    map_to_boolean(in, flags, n);
    stock_scan_exclusive(flags, slots, n);
    scatter(in, flags, slots, out, n);

    cudaMemcpy(&last_flag, &flags[n - 1], sizeof last_flag, cudaMemcpyDeviceToHost);
    cudaMemcpy(&last_slot, &slots[n - 1], sizeof last_slot, cudaMemcpyDeviceToHost);
    cudaFree(flags);
    cudaFree(slots);
    count = (size_t)last_slot + last_flag;
    /* end solution */

    return count;
}

/* ---- Part 4: ballots --------------------------------------------------------------------------------
 *
 * In a warp the scan of 32 flags needs no memory. __ballot_sync gives every lane the flags of the whole warp
 * as the bits of one number, bit l from lane l. __popc counts the bits that are set:
 *
 *     lane                7  6  5  4  3  2  1  0       (of 8, to fit the page)
 *     kept                0  1  1  0  0  1  0  1
 *     votes             = binary 01100101              __popc(votes) = 4 are kept
 *     below lane 5      = binary 00011111
 *     votes & below     = binary 00000101              2 are kept before lane 5: its rank is 2
 *
 * One pass counts for each warp, a scan of the counts gives the slot where each warp begins, and a second
 * pass votes once more and moves. A warp takes ROWS rows of 32 elements, one vote each: 8 bytes of flag and slot
 * an element become 8 bytes for every 256 elements, and the scan is that much shorter. And a lane loads
 * all of its elements before it uses the first, which hides most of the wait. Every lane of the warp votes,
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
    /* TODO: the number of elements that this warp keeps, by ballots of all 32 lanes. How does a lane past n vote?
     * The last block may have warps without any element. Begin with ROWS = 1, one row per warp, which earns all
     * points. */
    /* solution */
    size_t warp    = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    unsigned lane  = threadIdx.x % WARP;
    unsigned count = 0;
    for (unsigned row = 0; row < ROWS; row++) {
        size_t i       = warp * SECTION + row * WARP + lane;
        unsigned votes = __ballot_sync(ALL_LANES, i < n && keep(in[i]));
        count += __popc(votes);
    }
    if (lane == 0 && warp * SECTION < n)
        counts[warp] = count;
    /* end solution */
}

/* begins[w] is the slot of the first element that warp w keeps. */
__global__ void scatter_warp_kernel(const int *in, const unsigned *begins, int *out, size_t n)
{
    /* TODO: vote again. The slot of a kept element is where its row begins, plus its rank in the row. Where
     * does the first row of a warp begin, and where each further one? With several rows, load all elements
     * first. */
    /* solution */
    size_t warp    = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    unsigned lane  = threadIdx.x % WARP;
    unsigned below = (1u << lane) - 1;
    unsigned begin = warp * SECTION < n ? begins[warp] : 0;
    int x[ROWS];

    for (unsigned row = 0; row < ROWS; row++) {
        size_t i = warp * SECTION + row * WARP + lane;
        x[row]   = i < n ? in[i] : 0;
    }
    for (unsigned row = 0; row < ROWS; row++) {
        bool kept      = warp * SECTION + row * WARP + lane < n && keep(x[row]);
        unsigned votes = __ballot_sync(ALL_LANES, kept);
        if (kept)
            out[begin + __popc(votes & below)] = x[row];
        begin += __popc(votes);
    }
    /* end solution */
}

size_t compact_warp(const int *in, int *out, size_t n)
{
    size_t count = 0;

    /* TODO: as in part 3, with one count for each warp instead of a flag for each element. How many warps have
     * one? */
    /* solution */
    if (n == 0)
        return 0;

    size_t warps = (n + SECTION - 1) / SECTION;
    unsigned *counts, *begins, last_count, last_begin;
    cudaMalloc(&counts, warps * sizeof *counts);
    cudaMalloc(&begins, warps * sizeof *begins);

    count_warp_kernel<<<blocks_of_sections(n), THREADS>>>(in, counts, n);
    stock_scan_exclusive(counts, begins, warps);
    scatter_warp_kernel<<<blocks_of_sections(n), THREADS>>>(in, begins, out, n);

    cudaMemcpy(&last_count, &counts[warps - 1], sizeof last_count, cudaMemcpyDeviceToHost);
    cudaMemcpy(&last_begin, &begins[warps - 1], sizeof last_begin, cudaMemcpyDeviceToHost);
    cudaFree(counts);
    cudaFree(begins);
    count = (size_t)last_begin + last_count;
    /* end solution */

    return count;
}
