/* arbitrary_length_scan.cu: lab 6, scans of any length. The contract is in
 * labs/6-arbitrary-length-scan/arbitrary_length_scan.h.
 *
 * The loop                              n additions, one after another
 * Part 1    scan_tiles                  each tile by itself: 2.5 additions an element, as in lab 3
 * Part 2    add_block_sums              the sum before a tile, added to each of its elements
 * Part 3    scan_inclusive              both, and a scan of the tiles' sums between them: any length
 * Part 4    scan_exclusive
 * Part 5    scan_single_pass            one launch: every element is read once and written once
 *
 * "Addition" means combine, whatever the monoid is; so does + in a drawing. combine is associative and no more:
 * the operand that comes earlier in the input is always the left one. */
#include "arbitrary_length_scan.h"

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * The scan of a long input, tile by tile. It runs on the CPU and nothing calls it: it is here to be read. The
 * inner loop needs one thing from the tiles before: their sum. This lab is about passing that sum to a
 * tile without waiting until the tiles before it are finished.
 *
 *     in           3  1  7  0 | 4  1  6  3 | 2  5  1  1       tiles of 4
 *     sums                11  |        14  |         9
 *     before       0          | 11         | 25
 *     inclusive    3  4 11 11 |15 16 22 25 |27 32 33 34 */
void scan_sequential(const elem_t *in, elem_t *out, size_t n)
{
    elem_t before = IDENTITY;
    for (size_t first = 0; first < n; first += TILE)
        for (size_t i = first; i < first + TILE && i < n; i++) {
            before = combine(before, in[i]);
            out[i] = before;
        }
}

/* ---- Part 1: each tile by itself --------------------------------------------------------------------
 *
 * A block scans a tile in shared memory, in the three phases of lab 3: every thread scans a section of ITEMS
 * elements, the block scans the sections' sums, every thread adds the sum before its section.
 *
 *     phase 1    THREADS * (ITEMS - 1)                      448 additions
 *     phase 2    THREADS log2 THREADS - (THREADS - 1)       321
 *     phase 3    (THREADS - 1) * ITEMS                      504
 *
 * together 1273 for 512 elements. The last element of the scanned tile is the tile's sum. */

enum {
    ITEMS = 8,                          /* elements that a thread scans by itself */
    THREADS = TILE / ITEMS,             /* threads of a block */
    ROW = 32 * 4 / (int)sizeof(elem_t), /* elements in a row of banks of shared memory */
    PADDED_TILE = TILE + TILE / ROW     /* elements of a tile with an unused one after each row */
};

/* The index of slot `i` in a padded tile: see lab 3. */
__device__ unsigned padded(unsigned i)
{
    return i + i / ROW;
}

/* Inclusive scan of the first `count` slots of a padded tile in shared memory, 1 <= count <= items * threads, by
 * a block of `threads` threads; sums is shared memory of as many elements. Begins and ends with a barrier: the
 * block may have written the tile before, and may read all of it after. Part 5 has longer tiles and more
 * threads: so both are parameters. */
template <unsigned items, unsigned threads> __device__ void scan_tile(elem_t *tile, elem_t *sums, unsigned count)
{
    /* TODO: the three phases of lab 3, for sections of `items` elements that end at `count`. What does an empty
     * section leave in sums[t]? Which barriers separate the phases? All threads of the block call this
     * function, including those with an empty section, and the whole block may read the whole tile
     * afterwards. */
}

enum form { INCLUSIVE, EXCLUSIVE };

/* One block of THREADS threads a tile. out receives the scan of each tile by itself, in the given form. sums
 * receives the tiles' sums, unless it is null. in and out may be the same. */
__global__ void scan_tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n, enum form form)
{
    /* TODO: where does the block's tile begin, and how many elements does it have? The beginning is a size_t: widen
     * blockIdx.x BEFORE you multiply it. Keep a tile of PADDED_TILE elements and THREADS sums in shared memory,
     * load neighbouring elements with neighbouring threads, and call scan_tile<ITEMS, THREADS>. Which slot of the
     * scanned tile goes to out[first + i] in each form? Which slot is the sum, and when is it stored? */
}

/* How many tiles n elements fill. A grid may have 2^31 - 1 blocks in x: enough for 2^40 elements. */
inline unsigned count_tiles(size_t n)
{
    return (unsigned)((n + TILE - 1) / TILE);
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    /* TODO: launch the kernel: one block a tile, inclusive; nothing for n = 0, since a grid of 0 blocks is an
     * error. */
}

/* ---- Part 2: the sum before a tile ------------------------------------------------------------------
 *
 * Let the tiles' sums be scanned, inclusive. Then sums[b - 1] is the sum of everything before tile b.
 * Tile 0 has nothing before it. */

/* One block of THREADS threads a tile. in and out may be the same. */
__global__ void add_block_sums_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: which sum comes before tile b, and on which side of each element? Tile 0 is copied: the bound allows no
     * addition with IDENTITY there. */
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: launch the kernel: one block a tile; nothing for n = 0. */
}

/* ---- Parts 3 and 4: any length ----------------------------------------------------------------------
 *
 *     scan the tiles             each by itself, and keep their sums
 *     scan the sums              an array 512 times shorter, so this is the same problem again
 *     add to each tile           the sum before it
 *
 * 512 tiles have 512 sums, which fit one tile. More have sums that need several tiles, whose sums need to be
 * scanned: the function calls itself until one tile is left. 2^31 elements have 2^22 sums, those have 2^13,
 * those 2^4. The levels above the first hold n/512 + n/512^2 + ... elements: next to nothing.
 *
 * Each element is read and written twice. (Sengupta, Harris, Zhang & Owens, "Scan Primitives for GPU
 * Computing", 2007.) */

/* in and out may be the same. */
void scan_any_length(const elem_t *in, elem_t *out, size_t n, enum form form)
{
    /* TODO: the three steps above, in either form. Which form has the scan of the sums?
     * When is there nothing to scan or to add, and when nothing to do at all? Free the
     * sums. */
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan_any_length(in, out, n, INCLUSIVE);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan_any_length(in, out, n, EXCLUSIVE);
}

/* ---- Part 5: a single pass --------------------------------------------------------------------------
 *
 * Memory is the limit on a GPU, and part 3 reads and writes everything twice. A block could keep its tile in
 * shared memory until it knows the sum before it, if only it could get that sum without a new launch. It can
 * wait for other blocks: spin until a flag in global memory changes. Waiting for the whole sum before the tile
 * would make a chain, each block behind its neighbour. Decoupled look-back breaks it (Merrill & Garland,
 * "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016): a block publishes two things,
 *
 *     its sum       the sum of its own tile, as soon as it is scanned, without any other block
 *     its prefix    the sum of all tiles up to its own, as soon as it knows it
 *
 * and looks back from its left neighbour on: it adds up sums as long as it finds sums, and a prefix ends it.
 *
 *     tile          0         1       2       3       4
 *     status      prefix   prefix    sum     sum      ?        tile 4 adds sum 3, sum 2, prefix 1
 *
 * Two rules make it work.
 *
 * No block waits for a block that has not started. Blocks start in any order, and only some of them run at
 * the same time: if those all wait for one that has not started, it never starts. So a block's tile is not
 * blockIdx.x. It draws a ticket from an atomic counter: when a block holds ticket b, the holders of tickets
 * 0 .. b - 1 have started.
 *
 * The value first, then the status. Another block may see two writes in another order than they were made in.
 * The writer puts __threadfence() between value and status, the reader between status and value. The status is
 * volatile: each read of it must go to memory.
 *
 * A look back takes as long as a thousand additions, so two more things make it fast. There are few look-backs:
 * a tile is long, LONG_TILE elements. And each reaches far: the 32 lanes of a warp look at 32 tiles at once. */

enum { NOTHING, SUM, PREFIX }; /* what a tile has published */

enum {
    WARP         = 32,
    LONG_ITEMS   = 64 / (int)sizeof(elem_t), /* elements that a thread scans by itself: 64 bytes */
    LONG_THREADS = TILE < 512 ? TILE : 512,  /* threads of a block: with more, a tile outgrows shared memory */
    LONG_TILE    = LONG_ITEMS * LONG_THREADS
};

/* What the blocks share; each pointer to one element a tile. */
struct published {
    unsigned *ticket;          /* the next tile to hand out: one for all */
    volatile unsigned *status; /* NOTHING, SUM or PREFIX */
    elem_t *sums;              /* valid from SUM on */
    elem_t *prefixes;          /* valid from PREFIX on */
};

/* The sum of everything before tile b > 0. The first warp of a block calls it, and lane 0 gets the sum; window is
 * shared memory of WARP elements. */
__device__ elem_t look_back(struct published tiles, unsigned b, elem_t *window)
{
    elem_t before = IDENTITY;
    /* TODO: the sum of tiles 0 to b - 1. Wait until a tile has published something, fence, then read the value;
     * add sums from right to left, and stop at a prefix. One lane that looks at one tile at a time earns all
     * points. To look at 32 tiles at once: a ballot shows which lanes found a prefix; the nearest of these
     * lanes and those before it put their values into the window, all others IDENTITY; a tree adds the window,
     * in order, and the result is the left operand of `before`. Without a prefix, go on with the next 32
     * tiles. */
    return before;
}

/* One block of LONG_THREADS threads for each tile of LONG_TILE elements. in and out may be the same: a block reads
 * and writes its own tile only. */
__global__ void scan_single_pass_kernel(const elem_t *in, elem_t *out, size_t n, struct published tiles)
{
    /* TODO: follow the steps of the handout: the ticket, the tile as in part 1, then the sum before the tile. What
     * does tile 0 publish, what does any other tile publish before it looks back, and what afterwards? Each value
     * is followed by a fence and then by its status. Which values must the whole block receive through shared
     * memory, and with which barriers? */
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    /* TODO: allocate ticket and status as plain unsigned, sums and prefixes; clear the first two with cudaMemset in
     * every call. Launch one block a tile, none for n = 0, and free all of it. */
}
