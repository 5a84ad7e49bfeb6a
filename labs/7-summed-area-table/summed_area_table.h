/* summed_area_table.h: the contract of lab 7. You implement these functions in student/summed_area_table.cu.
 *
 * An image has `rows` times `columns` elements, row after row without gaps: the one in row r and column c, both
 * counted from 0, is at [r * columns + c]. Any image is allowed, also with a single row or column, or without any;
 * rows and columns are below 2^31, and there are at most 2^32 elements.
 *
 * Parts 1 and 2 work for every associative combine: you may group the operands, but their order stays.
 * combine(left, right) takes the operand that comes earlier in the row or column first. Parts 3 to 5 work on pixels of
 * 32 bits and sums of 64 bits. A pixel is unsigned; no sum of pixels of an image reaches 2^64.
 *
 * A summed-area table has an element for each pixel: the sum of the rectangle from the image's first pixel to
 * this one, both included:
 *     table[r, c] = sum of image[i, j] over all 0 <= i <= r, 0 <= j <= c
 *
 * The window of pixel (r, c) with a radius holds the pixels of the image at most `radius` rows and at most
 * `radius` columns away: rows r - radius to r + radius, columns c - radius to c + radius, without those outside the
 * image. Its mean is (sum + count / 2) / count in whole numbers, where count is how many pixels it holds: the nearest
 * whole number, a half rounded up.
 *
 * TILE is how many elements a tile has: 64, 512 or 1024. Your file is built and judged with each of the three, so it
 * may rely on none of them; `make run ... TILE=64` replays a failure with another tile than 512. Efficiency is judged
 * with 512.
 *
 * Every function is called on the host with device pointers. It launches kernels on the default stream and may
 * return before they end. Work in another stream begins after what the default stream holds already, and the
 * default stream or the host waits for it. Arrays are aligned as their elements need, and no better. They do not
 * overlap, except where a contract says that they may. Inputs that are not also outputs are only read. Scratch
 * memory is yours to allocate with cudaMalloc and to free with cudaFree before you return. Blocks may run in any
 * order, and as few as one at a time.
 *
 * Work is the number of times that combine runs, in all threads together; sums are added up with combine too. A
 * tile of a row is TILE elements of it, or what is left at its end; a row has ceil(columns / TILE) tiles.
 *
 * Sectors are the stretches of 32 bytes of global memory that a request of a warp moves: 32 neighbours of 8 bytes are
 * in 8 or 9 of them, and 32 elements far apart in 32. Caches are not taken into account. A row has ceil(columns / 32)
 * warps of elements, and a column ceil(rows / 32). Written elements are those that threads write to global memory,
 * each time counted; copies and fills within the device count, too.
 *
 * Kernels do the work, and their threads share it. Span is the longest chain of memory accesses, global and shared, and
 * of combines in which each comes after the one before. "After" means: later in the same thread, or in a thread that
 * has met the other one since, at a barrier or through a flag. One thread that loops over n elements has a span of at
 * least n, whatever the other threads do. The bounds:
 *     from 64 elements on       the span is at most nine tenths of all accesses and combines, and no thread makes more
 *                               than nine tenths of the combines that join two parts, or of the writes to outputs
 *     with more than 500        the same, with one half in the place of nine tenths
 *     from 90000 pixels on      no block makes more than nine tenths of any of these three
 * An image of fewer than 16 rows or columns may be one thread's work: there is little that a thread for each could
 * share.
 * What the busiest thread executes is bounded, too, in instructions as compiled for the CPU device, all launches
 * together and whatever they do. The bound is 2n + 128 (rows + columns), for n pixels, from 40000 on with at least 64
 * rows and columns; affine may take twice that and interval five times, and a chain of instructions from thread to
 * thread 64 more for each tile. A loop over the whole input takes more, by shuffles or plain arithmetic as well, in one
 * thread or in each for itself.
 * The host makes no output, except a single value. No data goes from the device to the host, neither by copies nor
 * through memory that both reach, except what a part names. */
#ifndef SUMMED_AREA_TABLE_H
#define SUMMED_AREA_TABLE_H

#include "lab.h"

#ifdef __CUDACC__
/* The sum of two 64-bit sums. It shares its name with the operator of elem_t, so that a template can call
 * combine for either, and counts as work like it. */
static __host__ __device__ __forceinline__ uint64_t combine(uint64_t left, uint64_t right)
{
#ifdef __SIMT__
    simt_count_combine();
#ifdef SIMT_TRACE
    simt_trace_combine(left, right, left + right, sizeof left);
#endif
#endif
    return left + right;
}
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* scan_rows: inclusive scan of every row by itself.
 *
 * in, out   device pointers to rows * columns elements; may be the same.
 *           out[r, c] = in[r, 0] ⊕ in[r, 1] ⊕ ... ⊕ in[r, c]
 * Graded    correct for every associative combine, with a span of at most 16 (rows + columns) + 1024 and at most
 *           4096 bytes to the host; clean; efficient: at most 6 * TILE + 512 combines for each tile of each row;
 *           at most rows * columns sectors and 4 for each warp of each row, where an element has 8 bytes; and at most
 *           5/4 rows * columns + rows + columns + 64 written elements */
void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns);

/* scan_columns: inclusive scan of every column by itself.
 *
 * in, out   device pointers to rows * columns elements; may be the same.
 *           out[r, c] = in[0, c] ⊕ in[1, c] ⊕ ... ⊕ in[r, c]
 * Graded    correct for every associative combine, with a span of at most 16 (rows + columns) + 1024 and at most
 *           4096 bytes to the host; clean; efficient: at most 3 * rows * columns combines, and 128 for each column;
 *           at most rows * columns sectors and 4 for each warp of each row, where an element has 8 bytes; and at most
 *           5/4 rows * columns + rows + columns + 64 written elements */
void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns);

/* sat: the summed-area table of an image.
 *
 * image     device pointer to rows * columns pixels, each anything from 0 to 2^32 - 1
 * table     device pointer to rows * columns sums
 * Graded    correct, with a span of at most 16 (rows + columns) + 1024 and at most 4096 bytes to the host; clean;
 *           efficient: at most the combines of both scans; at most 2 * rows * columns sectors, and 4 for each warp
 *           of each row and column */
void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns);

/* box_filter: replaces every pixel by the mean of its window. The sum of any window needs four elements of the table,
 * however large the window is.
 *
 * table     device pointer to the image's summed-area table
 * out       device pointer to rows * columns pixels: the means
 * radius    of all windows; 0 <= radius < 2^32, also larger than the image
 * Graded    correct, with a span of at most rows * columns / 32 + 16 (rows + columns) + 512; clean; efficient: at most
 *           2 * rows * columns sectors, and 8 for each warp of each row */
void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius);

/* depth_of_field: the same with a window for each pixel: the further it is from the plane that the lens is
 * focused on, the larger. The radius of the window of a pixel at depth d is, in whole numbers and rounded down,
 *     strength * |d - focus| / d,   but at most `most`
 * as of a thin lens: 0 in the plane of focus, towards `strength` far away, and beyond it close to the lens.
 *
 * table     device pointer to the image's summed-area table
 * depth     device pointer to rows * columns depths, in any unit; each from 1 to 2^32 - 1
 * out       device pointer to rows * columns pixels: the means
 * focus     0 to 2^32 - 1, in the unit of depth
 * strength, most    0 to 2^32 - 1, in pixels
 * Graded    correct, with a span of at most rows * columns / 32 + 16 (rows + columns) + 512; clean; efficient: at most
 *           5 * rows * columns sectors, and 8 for each warp of each row */
void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most);

#ifdef __cplusplus
}
#endif
#endif
