/* summed_area_table.cu: lab 7, sums over the rectangles of an image, and what they are good for. The contract
 * is in labs/7-summed-area-table/summed_area_table.h.
 *
 * The loop                              every sum from its neighbours
 * Part 1    scan_rows                   a block a row, tile after tile
 * Part 2    scan_columns                a thread a column, side by side
 * Part 3    sat                         both, in 64 bits; tall images in bands
 * Part 4    box_filter                  the mean of a window, from four elements of the table
 * Part 5    depth_of_field              a window for each pixel
 *
 * Parts 1 and 2 are about elem_t, part 3 is about sums of 64 bits. So their kernels are templates: In is
 * the type of their input, Sum that of their sums, and combine works for both. */
#include "summed_area_table.h"

/* ---- The loop ---------------------------------------------------------------------------------------
 *
 * Crow's table, "Summed-Area Tables for Texture Mapping", 1984. It runs on the CPU and nothing calls it: it
 * is here to be read. A sum is that of its row so far, and the element above it.
 *
 *     image    3  1  7  0          table    3   4  11  11
 *              4  1  6  3                   7   9  22  25
 *
 * In other words: scan the rows, then scan the columns of that.
 *
 *     rows     3  4 11 11          columns  3   4  11  11
 *              4  5 11 14                   7   9  22  25 */
void sat_sequential(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    for (size_t r = 0; r < rows; r++) {
        uint64_t row = 0;
        for (size_t c = 0; c < columns; c++) {
            row += image[r * columns + c];
            table[r * columns + c] = r > 0 ? table[(r - 1) * columns + c] + row : row;
        }
    }
}

/* ---- Part 1: the rows -------------------------------------------------------------------------------
 *
 * A row is a scan like any other, and there are many of them: a block takes one. It goes through its row tile
 * by tile and carries along the sum of the tiles so far, so no block waits for another. The threads of a
 * block read neighbouring elements, the access pattern that memory serves best.
 *
 * A tile is scanned in the three phases of lab 3: every thread scans a section of ITEMS elements, the block
 * scans the sections' sums, every thread adds the sum before its section. There are only as many sections
 * as the tile needs, so a short row costs little. */

enum {
    ITEMS = 8,             /* elements that a thread scans by itself */
    THREADS = TILE / ITEMS /* threads of a block */
};

/* The index of slot `i` of a tile: an element stays unused after each row of banks, 32 words: see lab 3. */
template <typename Sum> __device__ unsigned padded(unsigned i)
{
    return i + i * sizeof(Sum) / 128;
}

/* Inclusive scan of the first `count` slots of a padded tile in shared memory, 1 <= count <= TILE, by a
 * block of THREADS threads; sums is shared memory of THREADS elements. Begins and ends with a barrier: the
 * block may have written the tile before, and may read all of it after. */
template <typename Sum> __device__ void scan_tile(Sum *tile, Sum *sums, unsigned count)
{
    /* TODO: the three phases of lab 3, for as many sections of ITEMS elements as `count` needs; every index of the
     * tile goes through padded<Sum>(). Which barriers separate the phases, and the steps of phase 2? Threads
     * without a section do nothing, but they wait at every barrier. The whole block may read the whole tile
     * afterwards. */
}

/* One block of THREADS threads a row. in and out may be the same array. */
template <typename In, typename Sum> __global__ void scan_rows_kernel(const In *in, Sum *out, size_t columns)
{
    /* TODO: go along row blockIdx.x, tile by tile, with a tile of TILE + TILE * sizeof(Sum) / 128
     * elements in shared memory, converted to Sum. Where is the sum of the tiles before, and who
     * combines it with which element? What must happen between storing one tile and loading the
     * next? */
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    /* TODO: launch the kernel: one block a row; nothing when there are no elements, since a grid of 0 blocks
     * is an error. Rows go along the grid's x, which has room for 2^31 - 1 of them, where y has 65535. */
}

/* ---- Part 2: the columns ----------------------------------------------------------------------------
 *
 * A column could be scanned as a row is, with steps of `columns` elements instead of 1. But memory comes in
 * sectors of 32 bytes, and each element of a column is in another one: a warp that reads 32 elements of a
 * column would move 32 sectors where 4 to 8 are enough.
 *
 * A warp that reads 32 elements of a row moves only sectors that it uses. So each thread takes a column, its
 * neighbour the next column, and all go down together, row by row:
 *
 *               thread 0   1   2   3
 *     row 0            3   4  11  11
 *     row 1            4   5  11  14       thread 2 has 11 and adds 11
 *     row 2            .   .   .   .
 *
 * No thread ever needs another one: the scan of a column is the loop that defines it, rows - 1 additions.
 * Only the columns are parallel, and they are few for a GPU: 8192 threads, each of which waits for memory
 * most of the time. So a thread loads AHEAD elements of its column before it adds the first of them. */

enum {
    COLUMN_THREADS = 32, /* threads of a block: small, so that there are many blocks */
    AHEAD          = 64  /* elements that a thread loads at once */
};

/* A thread a column. in and out may be the same array. Rows begin `pitch` elements apart: see part 3. */
template <typename Sum>
__global__ void scan_columns_kernel(const Sum *in, Sum *out, size_t rows, size_t columns, size_t pitch)
{
    /* TODO: one column, from top to bottom, with the sum in a register. Begin with one element at a time; then load
     * AHEAD of them before you add the first. */
}

/* Launches it. */
template <typename Sum>
void scan_all_columns(const Sum *in, Sum *out, size_t rows, size_t columns, size_t pitch)
{
    /* TODO: one thread a column, rounded up to whole blocks; nothing when there are no elements. */
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    scan_all_columns(in, out, rows, columns, columns);
}

/* ---- Part 3: the summed-area table ------------------------------------------------------------------
 *
 * Both scans, one after the other, the second in place. Pixels have 32 bits; two of them already add up to
 * 33. All 2^32 pixels that an image may have add up to less than 2^64, so that is what the sums are: the
 * kernel of the rows reads unsigned and adds up uint64_t.
 *
 * (Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with CUDA", 2007, scan the rows, transpose, scan the
 * rows again and transpose back: then one kernel does, and all of it reads along rows.)
 *
 * That moves 4 + 8 + 8 + 8 bytes a pixel, and memory is what a GPU waits for. Reading the pixels twice costs
 * less than writing sums that are not final. So a tall image is cut into bands of BAND rows (Nehab, Maximo,
 * Lima & Hoppe, "GPU-Efficient Recursive Filtering and Summed-Area Tables", 2011):
 *
 *     1  add up the columns of each band          reads the pixels
 *     2  scan these sums down the bands           BAND times fewer: next to nothing
 *     3  scan each band from there, both ways     reads the pixels, writes the table
 *
 * As in lab 6: reduce, scan, scan. What a band needs from above is put where it will write its own first row,
 * so no other memory is wanted: rows 0, BAND, 2 BAND, ... of the table are an image of their own, whose rows
 * begin BAND * columns elements apart. */

enum {
    BAND          = 32,             /* rows: as many as a warp has lanes */
    PATCHES       = 4,              /* of BAND x BAND pixels, side by side: a warp each */
    PATCH_THREADS = PATCHES * BAND, /* threads of a block, and columns that it takes at a time */
    TALL          = 2 * BAND        /* an image of no more rows than that would have too few bands */
};

/* Step 1: a thread a column of a band. The sum goes to the first row of the next band, so the last band has
 * nothing to do here, and all others have BAND rows. */
__global__ void sum_bands_kernel(const unsigned *image, uint64_t *table, size_t columns)
{
    /* TODO: ceil(columns / PATCH_THREADS) blocks lie side by side along a band, then those of the next: find
     * the thread's band and its column. Load BAND pixels, then add them up; store the sum. */
}

/* Step 3: a block a band, which it goes along as the block of scan_rows goes along its row. A warp takes a
 * patch at a time: a thread goes down a column of it, since that is how pixels are read, and then along a row
 * of it, in shared memory, where the elements of a row are no nearer than those of a column. */
__global__ void scan_bands_kernel(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    /* TODO: for each PATCH_THREADS columns of band blockIdx.x: load a column of the patch, 0 where the image
     * has ended; scan it from the values in the band's first row of the table (from 0 in the first band),
     * into shared memory. Scan a row of the patch in place; its sum goes to shared memory too. One warp scans
     * these sums, a lane a row, and carries them on to the next columns. Then every thread adds to the
     * elements of its column the sums before the patch in their rows, and stores them. */
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    /* TODO: which two kernels make the table, and from which types to which? That earns all points. Optional: an
     * image of more than TALL rows goes by bands, in the three steps above. How many bands does each step have, and
     * where do the sums begin in the table? */
}

/* ---- Part 4: the mean of a window -------------------------------------------------------------------
 *
 * The sum of any rectangle is that of four rectangles from the first pixel. Those above it and to the left of
 * it are taken away, and the pixels above and to the left are subtracted twice:
 *
 *         left   right
 *      A  :  B   :            A          B           the whole to D, less what ends at B and at C,
 *     ....+------+ top                               and A once more
 *      C  |   D  :
 *     ----+------+ bottom     D - B - C + A
 *
 * There is nothing above row 0 or to the left of column 0: there B, C and A are 0. */

enum { PIXEL_THREADS = 256 /* threads of a block; a thread a pixel */ };

/* The element of the table before `row` and `column`: the sum of all
 * rows above and all columns to the left. */
__device__ uint64_t sum_before(const uint64_t *table, size_t columns, size_t row, size_t column)
{
    /* TODO: 0 if no pixel is above and to the left; otherwise an element of the table. */
    return 0;
}

/* The mean of the window around (row, column). */
__device__ unsigned window_mean(const uint64_t *table, size_t rows, size_t columns, size_t row, size_t column,
                                size_t radius)
{
    /* TODO: the window's first row and column, and those after its last, inside the image; then its sum from four
     * corners, and the mean. The numbers are unsigned: what is row - radius below 0? How many pixels does a window
     * have at a border? Round to the nearest. */
    return 0;
}

/* A thread a pixel. */
__global__ void box_filter_kernel(const uint64_t *table, unsigned *out, size_t rows, size_t columns,
                                  size_t radius)
{
    /* TODO: find the thread's pixel, its row and its column, and store the mean of its window. */
}

/* How many blocks have a thread for each pixel. */
inline unsigned pixel_blocks(size_t rows, size_t columns)
{
    return (unsigned)((rows * columns + PIXEL_THREADS - 1) / PIXEL_THREADS);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    /* TODO: launch the kernel; nothing when there are no pixels. */
}

/* ---- Part 5: a window for each pixel ----------------------------------------------------------------
 *
 * A large window costs as much as a small one, so every pixel may have its own. A lens that is focused on a
 * plane spreads a point at depth d over a disc whose size grows as |d - focus| / d. A square replaces the
 * disc (Hensley, Scheuermann, Coombe, Singh & Lastra, "Fast Summed-Area Table Generation and its
 * Applications", 2005). */

/* The radius of the window of a pixel at depth d >= 1. */
__device__ size_t blur_radius(unsigned d, unsigned focus, unsigned strength, unsigned most)
{
    /* TODO: strength * |d - focus| / d, at most `most`. Which of these steps goes wrong in unsigned numbers, and
     * which one needs 64 bits? */
    return 0;
}

/* A thread a pixel. */
__global__ void depth_of_field_kernel(const uint64_t *table, const unsigned *depth, unsigned *out,
                                      size_t rows, size_t columns, unsigned focus, unsigned strength,
                                      unsigned most)
{
    /* TODO: as box_filter_kernel, with the radius that the pixel's depth asks for. */
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    /* TODO: launch the kernel; nothing when there are no pixels. */
}
