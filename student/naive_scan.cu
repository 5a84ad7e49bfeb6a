/* naive_scan.cu: lab 2, scans that are easy to see and do too much work. The contract is in
 * labs/2-naive-scan/naive_scan.h.
 *
 * The loop                              n additions, one after another
 * Part 1    scan_quadratic              every thread for itself: n(n - 1)/2 additions, up to n - 1 steps
 * Part 2    scan_double_buffered        share partial sums: about n log2 n additions, log2 n steps
 * Part 3    scan_in_place               the same with half the shared memory and twice the barriers
 * Part 4    scan_global                 the same for any length: the end of a launch is the barrier
 * Part 5    inclusive_to_exclusive      from one form to the other
 *           exclusive_to_inclusive
 *
 * "Addition" means combine, whatever the monoid is; so does + in a drawing. combine is associative and no more:
 * the operand that comes earlier in the input is always the left one. */
#include "naive_scan.h"

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * What the scans of this file compute. It runs on the CPU and nothing calls it: it is here to be read. Each
 * output needs the one before it, which looks as if it could not run in parallel at all.
 *
 *     in           3  1  7  0  4  1  6  3
 *     inclusive    3  4 11 11 15 16 22 25
 *     exclusive    0  3  4 11 11 15 16 22 */
void scan_sequential(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++) {
        sum    = combine(sum, in[i]);
        out[i] = sum;
    }
}

/* ---- Part 1: every thread for itself ----------------------------------------------------------------
 *
 * out[i] is the reduction of in[0..i], and no output needs another one. So give each output a thread and
 * let it run the loop as far as its own slot. It is right, it is parallel, and it is hardly faster than the
 * loop: the last thread still makes n - 1 additions in a row, and all together make 0 + 1 + ... + (n - 1). */

/* One block of n threads; thread t computes out[t]. */
__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: this thread's output is the reduction of in[0] to in[t]. The bound allows no addition with IDENTITY.
     * Which operand is the sum so far? */
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n threads. */
}

/* ---- Part 2: doubling reach, two buffers ------------------------------------------------------------
 *
 * In part 1 thread 6 adds in[3] + in[4], and so does thread 7. Add it once and share it. Let every
 * slot hold the sum of the `reach` elements that end there. At first the reach is 1. Two neighbouring sums
 * of reach `stride` make one of reach 2 * stride (Hillis & Steele, "Data Parallel Algorithms", CACM 1986):
 *
 *     in           3  1  7  0  4  1  6  3
 *     stride 1     3  4  8  7  4  5  7  9        slot i  =  slot i - 1  +  slot i
 *     stride 2     3  4 11 11 12 12 11 14        slot i  =  slot i - 2  +  slot i
 *     stride 4     3  4 11 11 15 16 22 25        slot i  =  slot i - 4  +  slot i
 *
 * A slot with no neighbour so far to the left is finished and is copied. The additions of the
 * steps are n - 1, n - 2, n - 4, ...: together n log2 n - (n - 1) when n is a power of two.
 *
 * All slots must be read before any is overwritten. Two buffers make that simple: a step reads one and
 * writes the other. A barrier between the steps is enough, because the buffer that a step writes was last
 * read in the step before it. */

/* One block of n threads, n <= TILE, any n. */
__global__ void scan_double_buffered_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: keep two buffers of TILE elements in shared memory, as one array with two rows, and make the steps of
     * the table above. Think first: what does a step read, what does it write, and what happens to the slots below
     * the stride? Where does one barrier separate two steps? To swap the buffers, change an index; no data
     * moves. */
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n threads. */
}

/* ---- Part 3: in place, two barriers -----------------------------------------------------------------
 *
 * Shared memory is scarce, and one buffer is enough if a register replaces the other. Each step then has
 * two halves: all threads read and add, then all write. The writes need a barrier before and after:
 *
 *     barrier      the step before is written
 *     read         sum = buffer[t - stride] + buffer[t]
 *     barrier      everyone has read
 *     write        buffer[t] = sum
 *
 * Without the second barrier, thread t may overwrite buffer[t] before thread t + stride has read it: a race.
 * It may well give the right answer on the machine where you try it. Both barriers are outside the `if`:
 * every thread of the block must reach a barrier, including those that have nothing to add.
 *
 * Kogge & Stone (IEEE Transactions on Computers, 1973) solve recurrences with this network of additions, and
 * adders in processors are built from it. */

/* One block of n threads, n <= TILE, any n. */
__global__ void scan_in_place_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: as in part 2 with one buffer. A register keeps the sum until it may be written. */
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n threads. */
}

/* ---- Part 4: any length -----------------------------------------------------------------------------
 *
 * __syncthreads waits for one block. No barrier inside a plain kernel waits for all blocks, but the end of a
 * kernel does: the next launch on the stream sees everything that the last one wrote. So a launch is a step,
 * and part 2 works for any length, with its two buffers in global memory. Every element crosses the memory
 * bus twice a step: 2^20 elements need 20 launches and 40 crossings where two would do. Labs 3 and 6 get
 * there. */

enum { SCAN_THREADS = 256 /* threads of a block */ };

/* One step. from and to hold n elements each; a thread for each; the last block has spare threads. */
__global__ void scan_step_kernel(const elem_t *from, elem_t *to, size_t n, size_t stride)
{
    /* TODO: one slot of one step, as in part 2. The index is a size_t: widen blockIdx.x BEFORE you multiply it,
     * because the product of two unsigned numbers wraps around at 2^32. The last block has threads without a
     * slot. */
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: a launch for each step, at least one (n = 1 is copied), and none for n = 0, because a grid of 0
     * blocks is an error. The first step reads in, which must not change, and the last one writes out. Which
     * array does each step in between read and write? Allocate the scratch buffer that this needs, and free
     * it. */
}

/* ---- Part 5: inclusive and exclusive ----------------------------------------------------------------
 *
 * Both forms hold the same sums, one slot apart; an exclusive scan lacks the total and an inclusive one has
 * no IDENTITY (Blelloch, "Prefix Sums and Their Applications", 1990, calls the exclusive form prescan). To go
 * from inclusive to exclusive, move the sums to the right. To come back, move them to the left and find the
 * total somewhere, or add each slot's own input to what came before it, which needs no neighbour. */

/* A thread for each element; the last block has spare threads. in and out do not overlap: with one array for
 * both, a thread would overwrite what its right neighbour has yet to read. */
__global__ void shift_right_kernel(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: where does out[i] come from? What is before the first element? */
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel with enough blocks of SCAN_THREADS threads; nothing for n = 0. */
}

/* One thread an element. A thread reads and writes its own slot only, so out may be scanned or in. */
__global__ void combine_own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: add what this slot lacks. Which operand is on the left? */
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel with enough blocks of SCAN_THREADS threads; nothing for n = 0. */
}
