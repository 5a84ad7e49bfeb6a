/* summed_area_table.cu: scans of many rows, and a summed-area table that reads the image twice and writes the table once, where two scans, one after
 * the other, read and write the table once more (Nehab, Maximo, Lima & Hoppe, "GPU-Efficient Recursive Filtering and
 * Summed-Area Tables", 2011). Any image; sums of 64 bits.
 *
 * The image is cut into tiles: strips of STRIP columns, bands of BAND rows. A warp takes a tile, and goes down its rows with
 * the sums of its columns in registers: no shared memory, no barriers.
 *
 *     1  sum_tiles         of each tile: the sum of each row, and of each column
 *     2  carry_rows        for each row, what stands left of each strip
 *     3  carry_columns     for each column, what stands above each band
 *     4  scan_tiles        the table: what stands above and to the left, and the tile's own sums
 *
 * Bytes a pixel: 4 and 4 read, 8 written, and 4 passes over the columns' sums, 8 bytes for each BAND pixels: 17. The
 * limit is the copy rate; against the least there could be, 12 bytes, that is 0.71 at best. */
#include "summed_area_table.h"
#include <string.h>

enum {
    WARP = 32,
#ifdef __SIMT__
    THREADS = 32,
    BAND = 8,
    GROUPS = 1,
#else
    THREADS = 128,
    BAND = 32,
    GROUPS = 4,
#endif
    PAIR = 2,                      /* neighbours that a lane has: 8 bytes of the image, 16 of the table */
    GROUP = PAIR * WARP,           /* columns that a warp reads at once */
    STRIP = GROUPS * GROUP,        /* columns of a tile */
    ROWS_AHEAD = BAND < 4 ? BAND : 4 /* rows that are asked for at once */
};

static const unsigned ALL = 0xFFFFFFFFu;

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

static __device__ __forceinline__ uint64_t sum_warp(uint64_t sum)
{
#pragma unroll
    for (unsigned by = WARP / 2; by > 0; by /= 2)
        sum = combine(sum, __shfl_xor_sync(ALL, sum, by));
    return sum;
}

static __device__ __forceinline__ uint64_t scan_warp(uint64_t sum, unsigned lane)
{
#pragma unroll
    for (unsigned by = 1; by < WARP; by *= 2) {
        const uint64_t left = __shfl_up_sync(ALL, sum, by);
        if (lane >= by)
            sum = combine(left, sum);
    }
    return sum;
}

/* The lane's pixels of ROWS_AHEAD rows from `row` on; 0 where the image, or the band, has ended. PAIRS: each pair is there
 * as a whole or not at all, and is aligned. */
template <bool PAIRS>
static __device__ __forceinline__ void load(const unsigned *in, const struct image &image, size_t row, size_t end,
                                            size_t column, unsigned (&pixel)[ROWS_AHEAD][GROUPS][PAIR])
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
                const bool is_there = e * WARP + threadIdx.x < BAND && row < image.rows && strip + s < image.strips;
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
static __device__ __forceinline__ void scan_row(uint64_t (&sums)[GROUPS][PAIR], uint64_t before, unsigned lane)
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

/* ---- many rows ---------------------------------------------------------------------------------------------------------- */

/* A warp a row, LOADS elements of each lane at once: 32 neighbours are scanned by shuffles, all of these scans side by side,
 * and then what stands before goes from one to the next. Neither shared memory nor barriers; what there is to wait for,
 * other warps' work hides. So it is for images of many rows. */
enum { LOADS = 16 };

template <class T> static __device__ __forceinline__ T shuffle(T value, unsigned lane)
{
    unsigned words[(sizeof(T) + 3) / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned &word : words)
        word = __shfl_sync(ALL, word, lane);
    memcpy(&value, words, sizeof value);
    return value;
}

/* Elements of a row from `in` on, `count` of them: LOADS * WARP when WHOLE. before: what stands left of them, then of those
 * behind them. */
template <bool WHOLE>
static __device__ __forceinline__ void scan_part(const elem_t *in, elem_t *out, size_t count, unsigned lane,
                                                 elem_t &before)
{
    elem_t item[LOADS];
#pragma unroll
    for (unsigned i = 0; i < LOADS; i++)
        if (WHOLE || i * WARP < count)
            item[i] = WHOLE || i * WARP + lane < count ? in[i * WARP + lane] : elem_t(IDENTITY);
#pragma unroll
    for (unsigned by = 1; by < WARP; by *= 2)
#pragma unroll
        for (unsigned i = 0; i < LOADS; i++)
            if (WHOLE || i * WARP + by < count) {
                const elem_t left = shuffle(item[i], lane >= by ? lane - by : lane);
                if (lane >= by)
                    item[i] = combine(left, item[i]);
            }
#pragma unroll
    for (unsigned i = 0; i < LOADS; i++)
        if (WHOLE || i * WARP < count) {
            item[i] = combine(before, item[i]);
            before = shuffle(item[i], WARP - 1);
            if (WHOLE || i * WARP + lane < count)
                out[i * WARP + lane] = item[i];
        }
}

__global__ void __launch_bounds__(THREADS)
    scan_rows_kernel(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t row = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    if (row >= rows)
        return;
    in += row * columns;
    out += row * columns;
    elem_t before = IDENTITY;
    size_t first = 0;
    for (; first + LOADS * WARP <= columns; first += LOADS * WARP)
        scan_part<true>(in + first, out + first, LOADS * WARP, lane, before);
    if (first < columns)
        scan_part<false>(in + first, out + first, columns - first, lane, before);
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    scan_rows_kernel<<<(unsigned)((rows + THREADS / WARP - 1) / (THREADS / WARP)), THREADS>>>(in, out, rows, columns);
}

/* ---- the host ------------------------------------------------------------------------------------------------------------ */

/* From the device's pool, which keeps what is freed: allocating costs nothing the second time. */
static uint64_t *scratch(size_t count)
{
    void *memory = nullptr;
#ifndef __SIMT__
    static bool kept;
    if (!kept) {
        cudaMemPool_t pool;
        uint64_t all = UINT64_MAX;
        kept = cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) == cudaSuccess;
    }
#endif
    cudaMallocAsync(&memory, count * sizeof(uint64_t), 0);
    return (uint64_t *)memory;
}

template <bool PAIRS> static void make_table(const unsigned *in, uint64_t *out, size_t rows, size_t columns)
{
    const struct image image = {rows, columns, (rows + BAND - 1) / BAND, (columns + STRIP - 1) / STRIP};
    const unsigned blocks = (unsigned)((image.bands * image.strips + THREADS / WARP - 1) / (THREADS / WARP));
    uint64_t *row_sums = scratch(image.strips * rows), *column_sums = scratch(image.bands * columns),
             *corners = scratch(image.strips * image.bands);
    sum_tiles<PAIRS><<<blocks, THREADS>>>(in, row_sums, column_sums, image);
    carry_rows<<<(unsigned)image.bands, WARP>>>(row_sums, corners, image);
    carry_columns<<<(unsigned)((columns + THREADS - 1) / THREADS), THREADS>>>(column_sums, image);
    scan_tiles<PAIRS><<<blocks, THREADS>>>(in, out, row_sums, column_sums, corners, image);
    cudaFreeAsync(row_sums, 0);
    cudaFreeAsync(column_sums, 0);
    cudaFreeAsync(corners, 0);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    if (columns % PAIR == 0 && (size_t)image % sizeof(uint2) == 0 && (size_t)table % sizeof(ulonglong2) == 0)
        make_table<true>(image, table, rows, columns);
    else
        make_table<false>(image, table, rows, columns);
}
