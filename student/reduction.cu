/* reduction.cu: lab 1, from one loop to a grid of trees. The contract is in labs/1-reduction/reduction.h.
 *
 * The loop                              n - 1 additions, one after another
 * Part 1    reduce_tile                 a tree: the same n - 1 additions in log2 n steps
 * Part 2    reduce_tile_packed          the same tree, on few busy warps instead of many idle ones
 * Part 3    reduce                      any length: rows first, then trees, then trees of trees
 * Part 4    mean                        a reduction put to use
 *
 * "Addition" means combine, whatever the monoid is. */
#include "reduction.h"

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * What every function of this file computes. It runs on the CPU and nothing calls it: it is here to be read.
 * Each addition waits for the one before, so n - 1 additions take n - 1 steps. But combine is associative, so
 * the parentheses may move, and additions that are independent of each other can run at the same
 * time. */
void reduce_sequential(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++)
        sum = combine(sum, in[i]);
    *out = sum;
}

/* ---- Part 1: the interleaved tree -------------------------------------------------------------------
 *
 * Neighbours combine first, then neighbouring pairs, then pairs of pairs. The stride between the two operands
 * doubles at every step, and each sum stays in the slot of its leftmost operand:
 *
 *     stride 1    tile[0] += tile[1]    tile[2] += tile[3]    tile[4] += tile[5]    tile[6] += tile[7]
 *     stride 2    tile[0] += tile[2]                          tile[4] += tile[6]
 *     stride 4    tile[0] += tile[4]
 *
 * The additions are n/2 + n/4 + ... + 1 = n - 1, as many as in the loop: a tree changes the order, not the
 * work. (Harris, "Optimizing Parallel Reduction in CUDA", 2007, begins with this kernel.) */

/* One block of n/2 threads; thread t owns the pair tile[2t], tile[2t + 1]. n = 2 * blockDim.x <= TILE. */
__global__ void reduce_tile_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: the steps of the handout's table.
     *
     * Which threads add at stride s?
     * Which slots does a step read that another thread wrote in the step before? There all threads of the block
     * have to wait. */
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 2: the packed tree ------------------------------------------------------------------------
 *
 * A warp's 32 lanes go through a branch together: when one lane takes it, the other 31 wait. In part 1 the
 * threads that still work are 1, 2, 4, ... apart, so that nearly every warp keeps a few busy lanes until
 * the end. Nothing ties a sum to its leftmost operand if combine is commutative. Halve the stride instead of
 * doubling it, and the threads that work are always 0 .. stride - 1:
 *
 *     stride 4    tile[0] += tile[4]    tile[1] += tile[5]    tile[2] += tile[6]    tile[3] += tile[7]
 *     stride 2    tile[0] += tile[2]    tile[1] += tile[3]
 *     stride 1    tile[0] += tile[1]
 *
 * Whole warps drop out, and neighbouring lanes touch neighbouring words, so shared memory serves a warp at
 * once. Only the last five steps, with 16, 8, 4, 2 and 1 additions, split a warp. The price: tile[0] now
 * combines in[0] with in[n/2] before in[1]. That does not change a sum. From lab 2 on it is no longer allowed. (Kirk
 * & Hwu, "Programming Massively Parallel Processors", call this the convergent kernel.) */

/* One block of n/2 threads, n = 2 * blockDim.x <= TILE. */
__global__ void reduce_tile_packed_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: the table of part 2. Choose the two elements that a thread loads so that the 32
     * loads of a warp are neighbours. Which threads add at stride s now? The rest is as in part
     * 1. */
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 3: any length -----------------------------------------------------------------------------
 *
 * In a tile's tree half of the threads make one addition and are then idle. They do more useful work if each
 * first adds up several elements by itself (Harris: "algorithm cascading"; Kirk & Hwu: "thread
 * coarsening"). A block handles a chunk of CHUNK elements:
 *
 *     rows     thread t adds in[t], in[t + THREADS], in[t + 2 THREADS], ...: at every step the block reads
 *              THREADS neighbours; elements past n are left out, so a thread may be left with IDENTITY
 *     tree     the THREADS sums combine as in part 2, and the block stores one sum
 *
 * The sums of all chunks are an array again, CHUNK times shorter, and reduce calls itself to reduce it.
 * 2^31 elements shrink to 2^19, to 2^7, to 1. No block adds to another block's sum, so no atomics are
 * needed, and the grouping depends on n alone: floats give the same bits every time.
 *
 * Work: a chunk of m elements costs m additions in its rows and THREADS - 1 in its tree. */

enum {
    THREADS = TILE / 2,     /* threads of a block: a power of two */
    ITEMS = 16,             /* elements that a thread adds up by itself */
    CHUNK = THREADS * ITEMS /* elements of a block */
};

/* One block of THREADS threads for each chunk of in[0..n); sums[b] receives the reduction of chunk b. n may
 * be 0: then the one block stores IDENTITY. */
__global__ void reduce_chunks_kernel(const elem_t *in, elem_t *sums, size_t n)
{
    /* TODO: first each thread's own elements, then the tree.
     *
     * What does a thread without any element contribute?
     * An index is a size_t: widen blockIdx.x before you multiply it. */
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: how many chunks are there?
     * One needs no sums in between. More than one leave an array of sums, which is a reduction again.
     * Free what you allocate. */
}

/* ---- Part 4: the mean -------------------------------------------------------------------------------
 *
 * The sum is in device memory, and the host must not touch it there. Copying it to the host and back would
 * make the host wait. A kernel of one thread does the division where the sum is: launches on one stream run
 * in order, so it starts after reduce has ended.
 *
 * A float has 24 bits. A loop that adds 2^25 ones in float stops growing at 2^24; the tree adds numbers of
 * similar size and gets the exact sum. So the tree is also more accurate: its rounding errors grow with log n,
 * not with n. */
#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *value, size_t n)
{
    /* TODO: divide *value by n. */
}

void mean(const float *in, float *out, size_t n)
{
    /* TODO: where is the sum after reduce, and who may divide it there? */
}
#endif
