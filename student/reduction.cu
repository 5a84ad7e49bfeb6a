/* reduction.cu: lab 1, from one loop to a grid of trees. The contract is in labs/1-reduction/reduction.h.
 *
 * The loop                              n - 1 additions, one after another
 * Part 1    reduce_tile                 a tree: the same n - 1 additions in log2 n steps
 * Part 2    reduce_tile_packed          the same tree, on few busy warps instead of many idle ones
 * Part 3    reduce                      any length: rows first, then trees, then trees of trees
 * Part 4    mean                        a reduction put to use
 *
 * "Addition" stands for combine, whatever the monoid. */
#include "reduction.h"

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * What every function of this file computes. It runs on the CPU and nothing calls it: it is here to be read.
 * Each addition waits for the one before, so n - 1 additions take n - 1 steps. But combine is associative, so
 * the parentheses may move, and two additions that do not need each other's result can run at the same
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
 * doubles at every step, and each sum stays at the place of its leftmost operand:
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
    /* TODO: declare the tile in shared memory (TILE elements) and load two elements a thread. Then one step
     * for each stride 1, 2, 4, ..., n/2: wait for the block, then let the threads whose `left = 2 *
     * threadIdx.x` is a multiple of 2 * stride set tile[left] to combine(tile[left], tile[left + stride]).
     * Thread 0 stores the result. The barrier belongs where every thread passes it, so not inside the
     * `if`. */
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 2: the packed tree ------------------------------------------------------------------------
 *
 * A warp's 32 lanes go through a branch together: when one lane takes it, the other 31 wait. In part 1 the
 * threads that still work stand 1, 2, 4, ... apart, so that nearly every warp keeps a few busy lanes until
 * the end. Nothing ties a sum to its leftmost operand if combine is commutative. Halve the stride instead of
 * doubling it, and the threads that work are always 0 .. stride - 1:
 *
 *     stride 4    tile[0] += tile[4]    tile[1] += tile[5]    tile[2] += tile[6]    tile[3] += tile[7]
 *     stride 2    tile[0] += tile[2]    tile[1] += tile[3]
 *     stride 1    tile[0] += tile[1]
 *
 * Whole warps drop out, and neighbouring lanes touch neighbouring words, so shared memory serves a warp at
 * once. Only the last five steps, with 16, 8, 4, 2 and 1 additions, split a warp. The price: tile[0] now
 * combines in[0] with in[n/2] before in[1]. Sums do not mind. From lab 2 on that is no longer allowed. (Kirk
 * & Hwu, "Programming Massively Parallel Processors", call this the convergent kernel.) */

/* One block of n/2 threads, n = 2 * blockDim.x <= TILE. */
__global__ void reduce_tile_packed_kernel(const elem_t *in, elem_t *out)
{
    /* TODO: load as before, but with n/2 between a thread's two elements: then the loads of a warp are 32
     * neighbours. One step for each stride n/2, n/4, ..., 1: wait for the block, then let the threads with
     * threadIdx.x < stride combine tile[threadIdx.x] with tile[threadIdx.x + stride]. */
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block of n/2 threads. */
}

/* ---- Part 3: any length -----------------------------------------------------------------------------
 *
 * A tile's tree keeps half of its threads for one addition and then sends them home. A thread earns its keep
 * if it first adds up several elements by itself (Harris: "algorithm cascading"; Kirk & Hwu: "thread
 * coarsening"). A block handles a chunk of CHUNK elements:
 *
 *     rows     thread t adds in[t], in[t + THREADS], in[t + 2 THREADS], ...: at every step the block reads
 *              THREADS neighbours; elements past n are left out, so a thread may be left with IDENTITY
 *     tree     the THREADS sums combine as in part 2, and the block stores one sum
 *
 * The sums of all chunks are an array again, CHUNK times shorter, and reduce can be asked for its reduction.
 * 2^31 elements shrink to 2^19, to 2^7, to 1. No block adds to another's sum, so there is nothing for atomics
 * to order, and the grouping depends on n alone: floats give the same bits every time.
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
    /* TODO: each thread combines the chunk's elements t, t + THREADS, t + 2 * THREADS, ... in a register that
     * starts as IDENTITY; check each index against n. It may not fit into 32 bits: compute it as a size_t, and
     * widen blockIdx.x BEFORE you multiply it. Store the register into tile[t] of a tile of THREADS elements,
     * and reduce that as in part 2, from stride THREADS / 2 on. */
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: when one chunk holds everything (n = 0 too), launch one block that stores into out. Otherwise
     * allocate one sum for each chunk, launch one block for each chunk, reduce the sums into out by calling
     * reduce itself, and free the sums. */
}

/* ---- Part 4: the mean -------------------------------------------------------------------------------
 *
 * The sum is in device memory, and the host must not touch it there. Copying it to the host and back would
 * make the host wait. A kernel of one thread does the division where the sum is: launches on one stream run
 * in order, so it starts after reduce has ended.
 *
 * A float has 24 bits. A loop that adds 2^25 ones in float stops growing at 2^24; the tree adds numbers of
 * like size and gets it right. So the tree is not only faster: its rounding errors grow with log n, not with
 * n. */
#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *value, size_t n)
{
    /* TODO: divide *value by n. */
}

void mean(const float *in, float *out, size_t n)
{
    /* TODO: reduce into out, then launch the kernel: one block of one thread. */
}
#endif
