/* work_efficient_scan.cu: lab 3, scans that do no more work than the loop does, up to a factor of two. The
 * contract is in labs/3-work-efficient-scan/work_efficient_scan.h.
 *
 * The loop                              n additions, one after another
 * Part 1    scan_blelloch               up a tree and down again: 2(n - 1) additions, 2 log2 n steps; exclusive
 * Part 2    scan_brent_kung             the same tree, another way down: 2n - 2 - log2 n additions; inclusive
 * Part 3    scan_conflict_free          part 1, laid out so that a warp's threads reach different banks
 * Part 4    scan_coarsened              several elements a thread: few barriers, any length up to 4 tiles
 * Part 5    scan_global_tree            part 1 for any length: a level is a launch
 *
 * "Addition" means combine, whatever the monoid is; so does + in a drawing. combine is associative and no more:
 * the operand that comes earlier in the input is always the left one. */
#include "work_efficient_scan.h"

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * What the scans of this file compute, in both forms. It runs on the CPU and nothing calls it: it is here to
 * be read. It makes n additions. The naive scans of lab 2 make about n log2 n: with n = 512 a GPU adds eight
 * times as much as one thread would. A scan is work-efficient when its additions are at most a constant times
 * those of the loop.
 *
 *     in           3  1  7  0  4  1  6  3
 *     inclusive    3  4 11 11 15 16 22 25
 *     exclusive    0  3  4 11 11 15 16 22 */
void scan_sequential(const elem_t *in, elem_t *inclusive, elem_t *exclusive, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++) {
        exclusive[i] = sum;
        sum          = combine(sum, in[i]);
        inclusive[i] = sum;
    }
}

/* ---- Part 1: up-sweep and down-sweep ----------------------------------------------------------------
 *
 * A reduction builds a tree of partial sums and throws all but the root away. Keep them, and a second pass
 * over the tree turns them into the scan (Blelloch, "Prefix Sums and Their Applications", 1990).
 *
 * The up-sweep is the reduction. Each sum is stored in the slot of its rightmost element, so a node and its
 * right child share a slot, and the left child is `stride` slots to the left:
 *
 *     in           3  1  7  0  4  1  6  3
 *     stride 1     3  4  7  7  4  5  6  9        right = 1, 3, 5, 7
 *     stride 2     3  4  7 11  4  5  6 14        right = 3, 7
 *     stride 4     3  4  7 11  4  5  6 25        right = 7: the root
 *
 * The down-sweep replaces every node by the sum of all elements BEFORE it. The root has nothing before it:
 * IDENTITY. A left child has the same elements before it as its parent. A right child has those before its
 * parent, and then its left sibling, in this order:
 *
 *     clear        3  4  7 11  4  5  6  0
 *     stride 4     3  4  7  0  4  5  6 11        slot 3 passes 11 to the right and receives 0
 *     stride 2     3  0  7  4  4 11  6 16
 *     stride 1     0  3  4 11 11 15 16 22        the exclusive scan
 *
 * A tree with n leaves has n - 1 inner nodes, and each costs one addition on the way up and one on the way
 * down. */

/* The up-sweep over tree[0..n) in shared memory, n a power of two, with n/2 threads. Begins with a barrier, so
 * what other threads have written before may be read; does not end with one. */
__device__ void up_sweep(elem_t *tree, unsigned n)
{
    /* TODO: the steps of the table above. At stride s there are n / (2s) pairs: let threads 0, 1,
     * 2, ... take them, so that few warps are split. Where is the right end of thread t's pair,
     * and how far away is the left one? Every thread passes the barrier, with a pair or
     * without. */
}

/* One block of n/2 threads; thread t loads and stores elements 2t and 2t + 1. n = 2 * blockDim.x <= TILE. */
__global__ void scan_blelloch_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: load the tree into shared memory, TILE elements, and sweep up. Clear the root: which thread may
     * do that without a barrier, and why? Then the steps of the second table, each with a barrier. A pair
     * gives two values and receives two: which one must be kept before it is overwritten, and in which order
     * are the operands of the addition? Do the step of stride 4 by hand first. Store two elements a
     * thread. */
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 2: another way down -----------------------------------------------------------------------
 *
 * After the up-sweep some slots are already finished: 0, 1, 3, 7, ... hold the sum of all elements up to
 * themselves. A finished sum and the sum of the range right after it make another finished sum. So pass
 * each finished sum to the middle of the next range, half as far at every step (Brent & Kung, "A Regular
 * Layout for Parallel Adders", 1982):
 *
 *     up-sweep     3  4  7 11  4  5  6 25        finished: 0, 1, 3, 7
 *     stride 2     3  4  7 11  4 16  6 25        slot 5 receives 3
 *     stride 1     3  4 11 11 15 16 22 25        slots 2, 4, 6 receive 1, 3, 5
 *
 * Nothing is cleared and nothing swapped, and the result is inclusive. A step with stride s makes n/(2s) - 1
 * additions: together n - 1 - log2 n, after n - 1 for the up-sweep. */

/* One block of n/2 threads; thread t loads and stores elements 2t and 2t + 1. n = 2 * blockDim.x <= TILE. */
__global__ void scan_brent_kung_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: sweep up as in part 1, then the steps of the table above. Which threads have a finished sum at
     * stride s, and which slot does it complete? Each thread stores two elements. Which thread wrote them
     * last? */
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 3: free of bank conflicts -----------------------------------------------------------------
 *
 * Shared memory is 32 banks, each one word wide: word w is in bank w mod 32. A warp's access takes one
 * wavefront when its lanes access different banks (or the same word), and k wavefronts when k different words
 * are in one bank. In part 1, at stride s, neighbouring threads access slots 2s apart. With s = 8 and elements
 * of one word, the 32 lanes of a warp share two banks: 16 wavefronts where one would be enough.
 *
 * Leave one element unused after each row of banks, and the same column of two rows is in two banks
 * (Harris, Sengupta & Owens, GPU Gems 3, chapter 39):
 *
 *     slot       0 .. 31    32 .. 63    64 .. 95    ...
 *     padded     0 .. 31    33 .. 64    66 .. 97    ...       slot + slot / 32
 *     bank       0 .. 31     1 ..  0     2 ..  1    ...
 *
 * The slots of the tree keep their numbers; only their positions in memory change. So the arithmetic of
 * part 1 stays, too, with padded() around every index. Elements of 8 bytes fill a row with 16. */

enum {
    ROW = 32 * 4 / (int)sizeof(elem_t), /* elements in a row of banks: 32 words of 4 bytes */
    PADDED_TILE = TILE + TILE / ROW     /* elements of a tile with an unused one after each row */
};

/* The position in memory of slot `i` of a padded array. */
__device__ unsigned padded(unsigned i)
{
    unsigned unused = 0;                                /* elements left out before i */
    /* TODO: count them: one for each full row before i. */
    return i + unused;
}

/* One block of n/2 threads. n = 2 * blockDim.x <= TILE. */
__global__ void scan_conflict_free_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: part 1 with padded() around every index of shared memory. Loads and stores change, too: let
     * thread t take elements t and t + n/2, so that neighbouring threads access neighbouring words, also
     * in global memory. Did thread t write these slots last? What does the answer mean for the
     * stores? */
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 4: several elements a thread --------------------------------------------------------------
 *
 * The tree needs 2 log2 n barriers, and near the root nearly all threads wait at them. A thread with 16
 * elements of its own scans them without any barrier. Then the block has only one sum for each thread to
 * scan together:
 *
 *     sections     [3  1  7  0]   [4  1  6  3]   [2  5  1  1]
 *     phase 1      [3  4 11 11]   [4  5 11 14]   [2  7  8  9]     each thread by itself
 *     phase 2                11             25             34     the block scans the sections' sums
 *     phase 3      [3  4 11 11]  [15 16 22 25]  [27 32 33 34]     each thread adds the sum before its section
 *
 * Work: n less one for each section in phase 1, n less the first section in phase 3, and the cost of
 * phase 2: there are 16 times fewer sums, so even the wasteful scan of lab 2 is cheap there.
 *
 * The elements of a thread are neighbours, so the lanes of a warp access slots SECTION apart. In global
 * memory each lane would touch another line, so all loads and stores go through shared memory, where
 * neighbouring threads take neighbouring elements; padding avoids bank conflicts there. */

enum {
    SECTION = 16,                                  /* elements that a thread scans by itself */
    SCANNERS = 4 * TILE / SECTION,                 /* threads of the block */
    PADDED_COARSE_TILE = 4 * TILE + 4 * TILE / ROW /* elements of shared memory */
};

/* One block of SCANNERS threads; thread t owns the section of SECTION elements that begins at t * SECTION.
 * 1 <= n <= SCANNERS * SECTION; sections past n are empty, the last one before may be short. */
__global__ void scan_coarsened_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    /* TODO: the three phases of the table above, in a padded tile. Neighbouring threads load and store
     * neighbouring elements. Phase 1 leaves one sum for each thread: which one does an empty section leave?
     * Phase 2 scans SCANNERS sums; the scan in place of lab 2 is good enough. Phase 3: which sum comes before
     * section t, on which side, and which thread has none? Find each write that another thread reads: a barrier
     * belongs between them. A barrier must not be inside an `if` or a loop whose length depends on the
     * thread. */
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of SCANNERS threads. */
}

/* ---- Part 5: any length -----------------------------------------------------------------------------
 *
 * A barrier waits for one block; the end of a launch waits for all. So a level of the tree is a launch, as a
 * stride was in lab 2. The tree needs a power of two: copy the input into an array of P elements, the next power
 * of two, and fill up with IDENTITY. What is added to the right of the last element changes no prefix.
 *
 * At stride s there are P/(2s) pairs, and a thread each. Launches shrink by half from level to level: all
 * levels of a sweep together touch fewer than 2P elements, where lab 2 accesses all n at every step. But near
 * the root a launch has one thread, and still costs what a launch costs. Lab 6 does better with tiles. */

enum { TREE_THREADS = 256 /* threads of a block */ };

/* tree[0..P) receives in[0..n) and, behind it, IDENTITY. One thread an element of tree. */
__global__ void pad_kernel(const elem_t *in, elem_t *tree, size_t n, size_t P)
{
    /* TODO: compute this thread's index as a size_t, and widen blockIdx.x BEFORE you multiply it: past 2^32
     * the product of two unsigned numbers wraps around. Threads past P do nothing. */
}

/* One level of the up-sweep. One thread for each of the P / (2 * stride) pairs. */
__global__ void up_sweep_kernel(elem_t *tree, size_t P, size_t stride)
{
    /* TODO: the body of up_sweep's loop. The end of the launch replaces the barrier. */
}

/* One thread: nothing comes before the root. */
__global__ void clear_root_kernel(elem_t *tree, size_t P)
{
    /* TODO: put IDENTITY into the root. */
}

/* One level of the down-sweep. One thread for each of the P / (2 * stride) pairs. */
__global__ void down_sweep_kernel(elem_t *tree, size_t P, size_t stride)
{
    /* TODO: the body of part 1's second loop. */
}

/* Blocks of TREE_THREADS threads for `threads` threads. */
inline unsigned tree_blocks(size_t threads)
{
    return (unsigned)((threads + TREE_THREADS - 1) / TREE_THREADS);
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: the launches of the handout's table, and none for n = 0, because a grid of 0
     * blocks is an error. Which strides does each sweep have? The tree is scratch memory of
     * P elements, to be freed. cudaMemcpy with cudaMemcpyDeviceToDevice copies the
     * result. */
}
