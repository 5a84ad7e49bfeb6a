/* summed_area_table.cu: scans of many rows, and a summed-area table that reads each pixel once and writes each sum once, in
 * one launch. Images that are too wide for it are read twice: bands.cuh. Any image; sums of 64 bits.
 *
 * A persistent grid takes the image in waves, as waves.cuh has it, but in two directions. A wave is the whole width of the
 * image: `parts` bands of rows, each cut into `strips` tiles, a tile for each block. A block adds up its tile some waves
 * before it needs the sums around it, and publishes the sum of each row, of each column, and of all. When it comes to the
 * wave, all of these are long there (what the sums are for: Nehab, Maximo, Lima & Hoppe, "GPU-Efficient Recursive Filtering
 * and Summed-Area Tables", 2011):
 *
 *            strip 0   strip 1   strip 2
 *     part 0 : corner  : corner  : above :      a tile needs the sum of its own columns in the bands above,
 *     part 1 : left    : left    : tile  :      of its own rows in the strips to the left, and of all that is
 *     part 2 :         :         :       :      above and to the left: the corner
 *
 * What the waves before have added to the columns, and to the corner, a block carries along.
 *
 * A warp has a patch of 128 columns and 8 rows. Its pixels wait in shared memory, where only the thread that asked for them
 * reads them: a copy without registers, and no barrier. A row of the table is the one above it, and the scan of its pixels.
 *
 * Bytes a pixel: 4 read, 8 written. The limit is the copy rate. The published sums stay in the L2: with tiles of 32 x 512,
 * 32 strips and 4 parts a block reads 8 bytes for each of 32 * 32 + 4 * 512 of them and a tile of 16384 pixels, 1.5 a pixel. */
#include "summed_area_table.h"
#include "bands.cuh"
#include "host.cuh"
#include "rows.cuh"
#include "table_waves.cuh"
#ifndef __SIMT__
#include <cuda_pipeline.h>
#endif

static __device__ struct board board;

/* ---- the table --------------------------------------------------------------------------------------------------- */

struct image {
    size_t rows, columns;
    unsigned strips, parts, waves; /* strips * parts blocks */
};

/* Shared memory of a block. */
template <int ACROSS> struct tile_memory {
    enum { DOWN = WARPS / ACROSS, STRIP = ACROSS * PATCH_COLUMNS, BAND = DOWN * PATCH_ROWS };
    uint4 pixels[STAGES][PATCH_ROWS][THREADS];
    uint64_t columns[STAGES][DOWN][STRIP]; /* sums of the patches' columns, of some waves */
    uint64_t above[STRIP];                 /* the columns of all tiles above */
    uint64_t turns[WARPS][PATCH_ROWS * ROW_STRIDE];
    uint64_t rows[STAGES][ACROSS][BAND]; /* sums of the patches' rows */
    uint64_t left[BAND];                 /* the tile's rows, in the strips to the left */
    uint64_t above_warps[STRIP / WARP];  /* sums of `above` */
    uint64_t corners[2][BLOCKS_MOST / WARP]; /* of the strips to the left: the parts above, all parts */
};

/* ACROSS  patches side by side in a tile; the others stand below each other
 * VECTORS pixels are read by 16 bytes, and sums written */
template <int ACROSS, bool VECTORS>
__global__ void __launch_bounds__(THREADS, 1)
    table_waves(const unsigned *in, uint64_t *out, struct image image, unsigned first_tag)
{
    typedef struct tile_memory<ACROSS> tile_memory;
    enum {
        DOWN = tile_memory::DOWN,
        STRIP = tile_memory::STRIP,
        BAND = tile_memory::BAND,
        ROWS_EACH = BAND / WARPS /* rows whose left sums a warp gathers */
    };
    extern __shared__ uint4 memory[];
    tile_memory &shared = *(tile_memory *)memory;
    const unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, patch = warp % ACROSS,
                   down = warp / ACROSS;
    const unsigned strip = blockIdx.x % image.strips, part = blockIdx.x / image.strips, blocks = gridDim.x;
    const unsigned total_warps = (blocks + WARP - 1) / WARP;
    const bool is_left = t % image.strips < strip, is_above = t / image.strips < part; /* block t */
    const size_t column = (size_t)strip * STRIP + patch * PATCH_COLUMNS + lane * EACH;
    /* The column that thread t publishes and gathers: see pairs_of. */
    const unsigned place = t % PATCH_COLUMNS, half = place / (2 * WARP);
    const bool has_column = t < STRIP && (size_t)strip * STRIP + t - place + place % (2 * WARP) / 2 * EACH +
                                                 2 * half + place % 2 <
                                             image.columns;
    uint64_t column_before = 0; /* column t, thread t: all waves before */
    uint64_t corner = 0;        /* strips to the left, all waves before */

    auto row_of = [&](unsigned wave) {
        return ((size_t)wave * image.parts + part) * BAND + down * PATCH_ROWS;
    };
    auto load = [&](unsigned wave) {
        uint4 *to = &shared.pixels[wave % STAGES][0][t];
        const size_t row = row_of(wave), rows = wave < image.waves ? image.rows : 0;
        const unsigned *from = in + row * image.columns + column;
#pragma unroll
        for (unsigned r = 0; r < PATCH_ROWS; r++, to += THREADS, from += image.columns) {
            const bool is_row = row + r < rows;
#ifndef __SIMT__
            if (VECTORS && is_row && column < image.columns) {
                __pipeline_memcpy_async(to, from, sizeof *to);
                continue;
            }
#endif
            uint4 pixel = {0, 0, 0, 0};
            if (is_row && column < image.columns)
                pixel.x = from[0];
            if (is_row && column + 1 < image.columns)
                pixel.y = from[1];
            if (is_row && column + 2 < image.columns)
                pixel.z = from[2];
            if (is_row && column + 3 < image.columns)
                pixel.w = from[3];
            *to = pixel;
        }
    };
    /* The sums around the tile of a wave: they are requested before the sums of the wave ahead are made, and used after. */
    uint64_t row_word[ROWS_EACH], column_word[ASKED], total = 0;
    auto ask_around = [&](unsigned wave) {
        const unsigned slot = wave % RING, tag = tag_of(first_tag, wave);
        const uint64_t *row_words = board.rows[slot][warp * ROWS_EACH] + part * image.strips,
                       *column_words = board.columns[slot][strip] + t;
        const size_t first_row = row_of(wave) - down * PATCH_ROWS;
#pragma unroll
        for (unsigned p = 0; p < ASKED; p++)
            column_word[p] =
                ask(has_column && p < image.parts, column_words + p * (size_t)image.strips * STRIP_MOST, tag);
#pragma unroll
        for (unsigned r = 0; r < ROWS_EACH; r++)
            row_word[r] = ask(lane < strip && first_row + warp * ROWS_EACH + r < image.rows,
                              row_words + r * BLOCKS_MOST + lane, tag);
        total = ask(t < blocks, &board.totals[slot][t], tag);
    };
    auto all_there = [&](unsigned wave) {
        const unsigned tag = tag_of(first_tag, wave);
        bool is_all = is_there(total, tag);
#pragma unroll
        for (unsigned p = 0; p < ASKED; p++)
            is_all &= is_there(column_word[p], tag);
#pragma unroll
        for (unsigned r = 0; r < ROWS_EACH; r++)
            is_all &= is_there(row_word[r], tag);
        return is_all;
    };

    load(0);
    for (unsigned step = 0; step < image.waves + AHEAD; step++) {
        const unsigned ahead = step, now = step - AHEAD;
        const bool sums = ahead < image.waves, scans = step >= AHEAD;

        if (scans)
            ask_around(now);
        if (sums) {
#ifndef __SIMT__
            __pipeline_commit();
            __pipeline_wait_prior(0);
#endif
            uint4 pixel[PATCH_ROWS];
            uint64_t columns[EACH] = {}, sum = 0; /* of row `lane` */
#pragma unroll
            for (unsigned r = 0; r < PATCH_ROWS; r++)
                pixel[r] = shared.pixels[ahead % STAGES][r][t];
            if (row_of(ahead) < image.rows) {
#pragma unroll
                for (unsigned r = 0; r < PATCH_ROWS; r++)
                    add_pixels(columns, pixel[r]);
#pragma unroll
                for (unsigned r = 0; r < PATCH_ROWS; r++) {
                    const uint64_t row = sum_warp<PIXEL_BITS + 2>(sum_of(pixel[r]));
                    sum = lane == r ? row : sum;
                }
            }
            ulonglong2 *pairs = pairs_of(shared.columns[ahead % STAGES][down], patch, lane);
            pairs[0] = make_ulonglong2(columns[0], columns[1]);
            pairs[WARP] = make_ulonglong2(columns[2], columns[3]);
            if (lane < PATCH_ROWS)
                shared.rows[ahead % STAGES][patch][down * PATCH_ROWS + lane] = sum;
        }
        if (scans) { /* the sums around the tile, in its wave */
            while (!all_there(now))
                ask_around(now);
            const unsigned slot = now % RING, tag = tag_of(first_tag, now);
            const uint64_t *row_words = board.rows[slot][warp * ROWS_EACH] + part * image.strips,
                           *column_words = board.columns[slot][strip] + t;
            const size_t part_words = (size_t)image.strips * STRIP_MOST,
                         first_row = row_of(now) - down * PATCH_ROWS;
            bool is_all;
            if (t < STRIP) {
                uint64_t above = column_before;
                for (unsigned first = 0;;) {
#pragma unroll
                    for (unsigned p = 0; p < ASKED; p++) {
                        column_before += sum_in(column_word[p]);
                        above += first + p < part ? sum_in(column_word[p]) : 0;
                    }
                    first += ASKED;
                    if (first >= image.parts)
                        break;
                    do {
                        is_all = true;
#pragma unroll
                        for (unsigned p = 0; p < ASKED; p++) {
                            column_word[p] = ask(has_column && first + p < image.parts,
                                                 column_words + (first + p) * part_words, tag);
                            is_all &= is_there(column_word[p], tag);
                        }
                    } while (!is_all);
                }
                shared.above[t] = above;
                above = sum_warp(above);
                if (lane == 0)
                    shared.above_warps[warp] = above;
            }
            uint64_t row_sum[ROWS_EACH] = {};
            if (first_row + warp * ROWS_EACH < image.rows) {
#pragma unroll
                for (unsigned r = 0; r < ROWS_EACH; r++)
                    row_sum[r] = sum_in(row_word[r]);
                for (unsigned s = WARP; s < strip; s += WARP) {
                    do {
                        is_all = true;
#pragma unroll
                        for (unsigned r = 0; r < ROWS_EACH; r++) {
                            row_word[r] =
                                ask(s + lane < strip && first_row + warp * ROWS_EACH + r < image.rows,
                                    row_words + r * BLOCKS_MOST + s + lane, tag);
                            is_all &= is_there(row_word[r], tag);
                        }
                    } while (!is_all);
#pragma unroll
                    for (unsigned r = 0; r < ROWS_EACH; r++)
                        row_sum[r] += sum_in(row_word[r]);
                }
#pragma unroll
                for (unsigned r = 0; r < ROWS_EACH; r++)
                    row_sum[r] = sum_warp<STRIPS_BITS>(row_sum[r]);
            }
            if (lane == 0)
#pragma unroll
                for (unsigned r = 0; r < ROWS_EACH; r++)
                    shared.left[warp * ROWS_EACH + r] = row_sum[r];
            if (warp < total_warps) {
                const uint64_t of_all_parts = sum_warp<SUM_BITS>(is_left ? sum_in(total) : 0),
                               of_parts_above = sum_warp<SUM_BITS>(is_left && is_above ? sum_in(total) : 0);
                if (lane == 0) {
                    shared.corners[0][warp] = of_parts_above;
                    shared.corners[1][warp] = of_all_parts;
                }
            }
        }
        __syncthreads();

        if (sums) {
            const unsigned slot = ahead % RING, tag = tag_of(first_tag, ahead);
            if (t < STRIP) {
                uint64_t sum = 0;
#pragma unroll
                for (unsigned d = 0; d < DOWN; d++)
                    sum += shared.columns[ahead % STAGES][d][t];
                if (has_column)
                    publish(&board.columns[slot][blockIdx.x][t], tag, sum);
            }
            if (warp == WARPS - 1) {
                const size_t first_row = row_of(ahead) - down * PATCH_ROWS;
                uint64_t total = 0;
                for (unsigned row = lane; row < BAND; row += WARP) {
                    uint64_t sum = 0;
#pragma unroll
                    for (unsigned p = 0; p < ACROSS; p++)
                        sum += shared.rows[ahead % STAGES][p][row];
                    if (first_row + row < image.rows && strip + 1 < image.strips)
                        publish(&board.rows[slot][row][blockIdx.x], tag, sum);
                    total += sum;
                }
                total = sum_warp<SUM_BITS>(total);
                if (lane == 0)
                    publish(&board.totals[slot][blockIdx.x], tag, total);
            }
        }
        uint4 pixel[PATCH_ROWS];
        if (scans) {
#pragma unroll
            for (unsigned r = 0; r < PATCH_ROWS; r++)
                pixel[r] = shared.pixels[now % STAGES][r][t];
        }
        load(ahead + 1); /* in their place */
        if (scans && row_of(now) < image.rows) {
            const size_t row = row_of(now);
            auto left_of = [&](unsigned r) {
                uint64_t sum = shared.left[r];
#pragma unroll
                for (unsigned p = 0; p + 1 < ACROSS; p++)
                    if (p < patch)
                        sum += shared.rows[now % STAGES][p][r];
                return sum;
            };
            /* The table's row above the patch. */
            uint64_t table[EACH] = {}, before = 0, rows[PATCH_ROWS];
            for (unsigned r = lane; r < down * PATCH_ROWS; r += WARP)
                before += left_of(r);
            if (lane < patch * (PATCH_COLUMNS / WARP))
                before += shared.above_warps[lane];
            if (lane < total_warps)
                before += shared.corners[0][lane];
            before = sum_warp(before) + corner;
            for (unsigned w = 0; w < total_warps; w++)
                corner += shared.corners[1][w];
            add_pairs(table, pairs_of(shared.above, patch, lane));
            for (unsigned d = 0; d < down; d++)
                add_pairs(table, pairs_of(shared.columns[now % STAGES][d], patch, lane));
#pragma unroll
            for (unsigned e = 1; e < EACH; e++)
                table[e] = combine(table[e - 1], table[e]);
            before += scan_warp(table[EACH - 1], lane) - table[EACH - 1];
#pragma unroll
            for (unsigned e = 0; e < EACH; e++)
                table[e] += before;
            /* Each row is the one above, and the sums of its own pixels. */
#pragma unroll
            for (unsigned r = 0; r < PATCH_ROWS; r++)
                rows[r] = sum_of(pixel[r]);
            scan_patch_rows(shared.turns[warp], lane, rows, left_of(down * PATCH_ROWS + lane / ROW_LANES));
            uint64_t *to = out + row * image.columns;
#pragma unroll
            for (unsigned r = 0; r < PATCH_ROWS; r++, to += image.columns) {
                if (row + r >= image.rows)
                    break;
                uint64_t sum = combine(rows[r], (uint64_t)pixel[r].x);
                table[0] = combine(table[0], sum);
                sum = combine(sum, (uint64_t)pixel[r].y);
                table[1] = combine(table[1], sum);
                sum = combine(sum, (uint64_t)pixel[r].z);
                table[2] = combine(table[2], sum);
                sum = combine(sum, (uint64_t)pixel[r].w);
                table[3] = combine(table[3], sum);
                store<VECTORS>(to, column, image.columns, lane, table);
            }
        }
        __syncthreads();
    }
}

/* ---- the host ---------------------------------------------------------------------------------------------------- */

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    scan_rows_kernel<<<(unsigned)((rows + ROW_THREADS / WARP - 1) / (ROW_THREADS / WARP)), ROW_THREADS>>>(
        in, out, rows, columns);
}

/* A tag for a call: no wave of it has a tag that the board may still hold from an earlier one. */
static unsigned first_tag(unsigned waves)
{
    static unsigned next;
    if (waves > TAGS - next) { /* they begin anew */
        void *words;
        cudaGetSymbolAddress(&words, board);
        cudaMemsetAsync(words, 0, sizeof board, 0);
        next = 0;
    }
    const unsigned first = next;
    next = waves > TAGS - next ? (unsigned)TAGS : next + waves;
    return first;
}

template <int ACROSS, bool VECTORS>
static void make_table(const unsigned *in, uint64_t *out, size_t rows, size_t columns, unsigned processors)
{
    typedef struct tile_memory<ACROSS> tile_memory;
    auto *kernel = table_waves<ACROSS, VECTORS>;
    static bool allowed;
    if (!allowed)
        allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int)sizeof(tile_memory)) == cudaSuccess;
    const size_t bands = (rows + tile_memory::BAND - 1) / tile_memory::BAND;
    struct image image = {rows, columns, (unsigned)((columns + tile_memory::STRIP - 1) / tile_memory::STRIP),
                          0, 0};
    image.parts = processors / image.strips < bands ? processors / image.strips : (unsigned)bands;
    image.waves = (unsigned)((bands + image.parts - 1) / image.parts);
    unsigned tag = first_tag(image.waves);
    void *arguments[] = {&in, &out, &image, &tag};
    /* All blocks are there at once, since each waits for the others. */
    cudaLaunchCooperativeKernel(kernel, dim3(image.strips * image.parts), dim3(THREADS), arguments,
                                sizeof(tile_memory), 0);
}

/* Scratch memory for so many sums. */
static uint64_t *sums(size_t count)
{
    return (uint64_t *)scratch(count * sizeof(uint64_t));
}

template <bool PAIRS> static void make_bands(const unsigned *in, uint64_t *out, size_t rows, size_t columns)
{
    const struct bands::image image = {rows, columns, (rows + bands::BAND - 1) / bands::BAND,
                                       (columns + bands::STRIP - 1) / bands::STRIP};
    const unsigned blocks =
        (unsigned)((image.bands * image.strips + bands::THREADS / WARP - 1) / (bands::THREADS / WARP));
    uint64_t *row_sums = sums(image.strips * rows), *column_sums = sums(image.bands * columns),
             *corners = sums(image.strips * image.bands);
    bands::sum_tiles<PAIRS><<<blocks, bands::THREADS>>>(in, row_sums, column_sums, image);
    bands::carry_rows<<<(unsigned)image.bands, WARP>>>(row_sums, corners, image);
    bands::carry_columns<<<(unsigned)((columns + bands::THREADS - 1) / bands::THREADS), bands::THREADS>>>(
        column_sums, image);
    bands::scan_tiles<PAIRS><<<blocks, bands::THREADS>>>(in, out, row_sums, column_sums, corners, image);
    cudaFreeAsync(row_sums, 0);
    cudaFreeAsync(column_sums, 0);
    cudaFreeAsync(corners, 0);
}

/* Wide images have wide tiles, narrow ones high tiles: a block gathers the fewer sums. */
template <bool VECTORS> static void make_table(const unsigned *in, uint64_t *out, size_t rows, size_t columns)
{
    static int processors;
    if (processors == 0) {
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
        processors = processors < (int)BLOCKS_MOST ? processors : (int)BLOCKS_MOST;
    }
    if (columns <= STRIPS * PATCH_COLUMNS)
        make_table<1, VECTORS>(in, out, rows, columns, (unsigned)processors);
    else if (columns <= 2 * STRIPS * PATCH_COLUMNS)
        make_table<2, VECTORS>(in, out, rows, columns, (unsigned)processors);
    else if (columns <= (size_t)processors * STRIP_MOST)
        make_table<ACROSS_MOST, VECTORS>(in, out, rows, columns, (unsigned)processors);
    else
        make_bands<VECTORS>(in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    if (columns % EACH == 0 && (size_t)image % sizeof(uint4) == 0 && (size_t)table % sizeof(ulonglong2) == 0)
        make_table<true>(image, table, rows, columns);
    else
        make_table<false>(image, table, rows, columns);
}
