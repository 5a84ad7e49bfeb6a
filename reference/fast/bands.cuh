/* bands.cuh: a summed-area table for images that are too wide for the waves of summed_area_table.cu. It reads the image
 * twice and writes the table once (Nehab, Maximo, Lima & Hoppe, "GPU-Efficient Recursive Filtering and Summed-Area Tables",
 * 2011). Any image; sums of 64 bits.
 *
 * The image is cut into tiles: strips of STRIP columns, bands of BAND rows. A warp takes a tile, and goes down its rows with
 * the sums of its columns in registers: no shared memory, no barriers.
 *
 *     1  sum_tiles         of each tile: the sum of each row, and of each column
 *     2  carry_rows        for each row, what stands left of each strip
 *     3  carry_columns     for each column, what stands above each band
 *     4  scan_tiles        the table: what stands above and to the left, and the tile's own sums
 *
 * The launches stand in summed_area_table.cu: those of a header are not translated for the CPU device.
 *
 * Bytes a pixel: 4 and 4 read, 8 written, and 4 passes over the columns' sums, 8 bytes for each BAND pixels: 17. */
#ifndef FAST_BANDS_CUH
#define FAST_BANDS_CUH

#include "warp_sums.cuh"

#include <cuda_runtime.h>
#include <stdint.h>

namespace bands
{

enum {
#ifdef __SIMT__
    THREADS = 32,
    BAND = 8,
    GROUPS = 1,
#else
    THREADS = 128,
    BAND = 32,
    GROUPS = 4,
#endif
    PAIR = 2,                        /* neighbours that a lane has: 8 bytes of the image, 16 of the table */
    GROUP = PAIR * WARP,             /* columns that a warp reads at once */
    STRIP = GROUPS * GROUP,          /* columns of a tile */
    ROWS_AHEAD = BAND < 4 ? BAND : 4 /* rows that are asked for at once */
};

struct image {
    size_t rows, columns, bands, strips;
};

/* Which tile a warp has; false past the last one. Neighbours in a band are neighbours in the grid. */
static __device__ __forceinline__ bool find_tile(const struct image &image, size_t *band, size_t *strip)
{
    const size_t warp = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    *band = warp / image.strips;
    *strip = warp % image.strips;
    return *band < image.bands;
}

/* The lane's pixels of ROWS_AHEAD rows from `row` on; 0 where the image, or the band, has ended. PAIRS: each pair is there
 * as a whole or not at all, and is aligned. */
template <bool PAIRS>
static __device__ __forceinline__ void load(const unsigned *in, const struct image &image, size_t row,
                                            size_t end, size_t column,
                                            unsigned (&pixel)[ROWS_AHEAD][GROUPS][PAIR])
{
#pragma unroll
    for (unsigned r = 0; r < ROWS_AHEAD; r++)
#pragma unroll
        for (unsigned g = 0; g < GROUPS; g++) {
            const size_t c = column + g * GROUP, at = (row + r) * image.columns + c;
            const bool is_row = row + r < end;
            if (PAIRS) {
                uint2 pair = {0, 0};
                if (is_row && c < image.columns)
                    pair = *(const uint2 *)(in + at);
                pixel[r][g][0] = pair.x;
                pixel[r][g][1] = pair.y;
            } else {
                pixel[r][g][0] = is_row && c < image.columns ? in[at] : 0;
                pixel[r][g][1] = is_row && c + 1 < image.columns ? in[at + 1] : 0;
            }
        }
}

/* row_sums[strip][row], column_sums[band][column]. */
template <bool PAIRS>
__global__ void __launch_bounds__(THREADS)
    sum_tiles(const unsigned *in, uint64_t *row_sums, uint64_t *column_sums, struct image image)
{
    const unsigned lane = threadIdx.x % WARP;
    size_t band, strip;
    if (!find_tile(image, &band, &strip))
        return;
    const size_t column = strip * STRIP + lane * PAIR;
    const size_t end = (band + 1) * BAND < image.rows ? (band + 1) * BAND : image.rows;
    uint64_t sums[GROUPS][PAIR] = {};
    for (size_t row = band * BAND; row < end; row += ROWS_AHEAD) {
        unsigned pixel[ROWS_AHEAD][GROUPS][PAIR];
        load<PAIRS>(in, image, row, end, column, pixel);
#pragma unroll
        for (unsigned r = 0; r < ROWS_AHEAD; r++) {
            uint64_t sum = 0;
#pragma unroll
            for (unsigned g = 0; g < GROUPS; g++)
#pragma unroll
                for (unsigned p = 0; p < PAIR; p++) {
                    sum = combine(sum, (uint64_t)pixel[r][g][p]);
                    sums[g][p] = combine(sums[g][p], (uint64_t)pixel[r][g][p]);
                }
            sum = sum_warp(sum);
            if (lane == 0 && row + r < end)
                row_sums[strip * image.rows + row + r] = sum;
        }
    }
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned p = 0; p < PAIR; p++)
            if (column + g * GROUP + p < image.columns)
                column_sums[band * image.columns + column + g * GROUP + p] = sums[g][p];
}

/* row_sums[strip][row] becomes the sum of the row's strips before. corners[strip][band] is that of all rows of the band. A
 * warp a band. */
__global__ void __launch_bounds__(WARP) carry_rows(uint64_t *row_sums, uint64_t *corners, struct image image)
{
    enum { EACH = (BAND + WARP - 1) / WARP, STRIPS_AHEAD = 4 };
    const size_t band = blockIdx.x, first = band * BAND;
    uint64_t before[EACH] = {};
    for (size_t strip = 0; strip < image.strips; strip += STRIPS_AHEAD) {
        uint64_t next[STRIPS_AHEAD][EACH];
#pragma unroll
        for (unsigned s = 0; s < STRIPS_AHEAD; s++)
#pragma unroll
            for (unsigned e = 0; e < EACH; e++) {
                const size_t row = first + e * WARP + threadIdx.x;
                const bool is_there =
                    e * WARP + threadIdx.x < BAND && row < image.rows && strip + s < image.strips;
                next[s][e] = is_there ? row_sums[(strip + s) * image.rows + row] : 0;
            }
#pragma unroll
        for (unsigned s = 0; s < STRIPS_AHEAD; s++) {
            uint64_t sum = 0;
#pragma unroll
            for (unsigned e = 0; e < EACH; e++) {
                const size_t row = first + e * WARP + threadIdx.x;
                if (e * WARP + threadIdx.x < BAND && row < image.rows && strip + s < image.strips)
                    row_sums[(strip + s) * image.rows + row] = before[e];
                sum = combine(sum, before[e]);
                before[e] = combine(before[e], next[s][e]);
            }
            sum = sum_warp(sum);
            if (threadIdx.x == 0 && strip + s < image.strips)
                corners[(strip + s) * image.bands + band] = sum;
        }
    }
}

/* column_sums[band][column] becomes the sum of the column's bands before. A thread a column. */
__global__ void __launch_bounds__(THREADS) carry_columns(uint64_t *column_sums, struct image image)
{
    enum { BANDS_AHEAD = 16 };
    const size_t column = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (column >= image.columns)
        return;
    uint64_t before = 0;
    for (size_t band = 0; band < image.bands; band += BANDS_AHEAD) {
        uint64_t next[BANDS_AHEAD];
#pragma unroll
        for (unsigned b = 0; b < BANDS_AHEAD; b++)
            next[b] = band + b < image.bands ? column_sums[(band + b) * image.columns + column] : 0;
#pragma unroll
        for (unsigned b = 0; b < BANDS_AHEAD; b++)
            if (band + b < image.bands) {
                column_sums[(band + b) * image.columns + column] = before;
                before = combine(before, next[b]);
            }
    }
}

/* sums[g][p] become sums over all columns of the strip up to their own, and `before`. */
static __device__ __forceinline__ void scan_row(uint64_t (&sums)[GROUPS][PAIR], uint64_t before,
                                                unsigned lane)
{
#pragma unroll
    for (unsigned g = 0; g < GROUPS; g++) {
        const uint64_t second = sums[g][1], sum = scan_warp(combine(sums[g][0], second), lane);
        sums[g][1] = combine(before, sum);
        sums[g][0] = sums[g][1] - second;
        before = combine(before, __shfl_sync(ALL, sum, WARP - 1));
    }
}

template <bool PAIRS>
__global__ void __launch_bounds__(THREADS)
    scan_tiles(const unsigned *in, uint64_t *out, const uint64_t *row_sums, const uint64_t *column_sums,
               const uint64_t *corners, struct image image)
{
    const unsigned lane = threadIdx.x % WARP;
    size_t band, strip;
    if (!find_tile(image, &band, &strip))
        return;
    const size_t column = strip * STRIP + lane * PAIR;
    const size_t end = (band + 1) * BAND < image.rows ? (band + 1) * BAND : image.rows;
    uint64_t corner = 0, sums[GROUPS][PAIR]; /* of the row above, then of the row that was written last */
    for (size_t b = lane; b < band; b += WARP)
        corner = combine(corner, corners[strip * image.bands + b]);
    corner = sum_warp(corner);
#pragma unroll
    for (unsigned g = 0; g < GROUPS; g++)
#pragma unroll
        for (unsigned p = 0; p < PAIR; p++) {
            const size_t c = column + g * GROUP + p;
            sums[g][p] = c < image.columns ? column_sums[band * image.columns + c] : 0;
        }
    scan_row(sums, corner, lane);

    for (size_t row = band * BAND; row < end; row += ROWS_AHEAD) {
        unsigned pixel[ROWS_AHEAD][GROUPS][PAIR];
        uint64_t left[ROWS_AHEAD];
        load<PAIRS>(in, image, row, end, column, pixel);
#pragma unroll
        for (unsigned r = 0; r < ROWS_AHEAD; r++)
            left[r] = row + r < end ? row_sums[strip * image.rows + row + r] : 0;
#pragma unroll
        for (unsigned r = 0; r < ROWS_AHEAD; r++) {
            uint64_t own[GROUPS][PAIR];
#pragma unroll
            for (unsigned g = 0; g < GROUPS; g++)
#pragma unroll
                for (unsigned p = 0; p < PAIR; p++)
                    own[g][p] = pixel[r][g][p];
            scan_row(own, left[r], lane);
#pragma unroll
            for (unsigned g = 0; g < GROUPS; g++) {
                const size_t c = column + g * GROUP;
                uint64_t *to = out + (row + r) * image.columns + c;
                sums[g][0] = combine(sums[g][0], own[g][0]);
                sums[g][1] = combine(sums[g][1], own[g][1]);
                if (row + r >= end)
                    continue;
                if (PAIRS) {
                    if (c < image.columns)
                        *(ulonglong2 *)to = make_ulonglong2(sums[g][0], sums[g][1]);
                } else {
                    if (c < image.columns)
                        to[0] = sums[g][0];
                    if (c + 1 < image.columns)
                        to[1] = sums[g][1];
                }
            }
        }
    }
}

} // namespace bands

#endif
