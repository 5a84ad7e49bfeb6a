/* table_waves.cuh: what summed_area_table.cu's waves are made of: the sizes, what blocks tell each other, and what
 * a warp does with its patch. */
#ifndef FAST_TABLE_WAVES_CUH
#define FAST_TABLE_WAVES_CUH

#include "warp_sums.cuh"

enum {
#ifdef __SIMT__
    WARPS = 8,
    STRIPS = 2,
#else
    WARPS = 16,
    STRIPS = 32, /* narrow strips until an image has more than so many */
#endif
    THREADS = WARPS * WARP,
    PATCH_ROWS = 8,
    ROW_LANES = WARP / PATCH_ROWS, /* that have a row when they scan it, RUN sums each */
    RUN = WARP / ROW_LANES,        /* in shared memory a pair apart: lanes that read at once use all banks */
    RUN_STRIDE = RUN + 2,
    ROW_STRIDE = ROW_LANES * RUN_STRIDE,
    EACH = 4, /* columns of a thread: 16 bytes of the image, 32 of the table */
    PATCH_COLUMNS = EACH * WARP,
    ACROSS_MOST = WARPS / EACH, /* patches side by side in a tile: a thread for each column */
    STRIP_MOST = THREADS,       /* columns of a tile, rows of a tile */
    BAND_MOST = WARPS * PATCH_ROWS,
    AHEAD = 1, /* waves from a tile's sums to its scan */
    STAGES = AHEAD + 1,
    ASKED = 4, /* words that a thread asks for at once */
    RING = 4,  /* waves that the board remembers: more than 2 * AHEAD + 1 */
    BLOCKS_MOST = 256,
    PIXEL_BITS = 32,
    SUM_BITS = PIXEL_BITS + 14, /* of a tile's 2^14 pixels, at most; what is left of a word says which wave it is */
    STRIPS_BITS = SUM_BITS + 3, /* of the sums of so many tiles as a lane adds up: BLOCKS_MOST / WARP */
    TAGS = (1 << (64 - SUM_BITS)) - 1
};

/* ---- what blocks tell each other --------------------------------------------------------------------------------- */

/* Sums of the last waves' tiles, each in one word with the tag of its wave: a word says by itself whether it is there. */
struct board {
    uint64_t rows[RING][BAND_MOST][BLOCKS_MOST];
    uint64_t columns[RING][BLOCKS_MOST][STRIP_MOST];
    uint64_t totals[RING][BLOCKS_MOST];
};

static __device__ __forceinline__ void publish(uint64_t *word, unsigned tag, uint64_t sum)
{
    *(volatile uint64_t *)word = (uint64_t)tag << SUM_BITS | sum;
}

/* The word as it is now; where none is wanted, one that is there and holds 0. */
static __device__ __forceinline__ uint64_t ask(bool is_wanted, const uint64_t *word, unsigned tag)
{
    return is_wanted ? *(const volatile uint64_t *)word : (uint64_t)tag << SUM_BITS;
}

static __device__ __forceinline__ bool is_there(uint64_t word, unsigned tag)
{
    return word >> SUM_BITS == tag;
}

static __device__ __forceinline__ uint64_t sum_in(uint64_t word)
{
    return word & (((uint64_t)1 << SUM_BITS) - 1);
}

/* Of a wave; never 0, which is what the board begins with. */
static __device__ __forceinline__ unsigned tag_of(unsigned first, unsigned wave)
{
    return (first + wave) % TAGS + 1;
}

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

/* A thread's EACH columns in a row of sums in shared memory: two pairs, WARP pairs apart, so that the lanes of a warp use all
 * banks. Who reads them by their places does not mind. */
static __device__ __forceinline__ ulonglong2 *pairs_of(uint64_t *row, unsigned patch, unsigned lane)
{
    return (ulonglong2 *)(row + patch * PATCH_COLUMNS) + lane;
}

static __device__ __forceinline__ void add_pairs(uint64_t (&sums)[EACH], const ulonglong2 *pairs)
{
    const ulonglong2 first = pairs[0], second = pairs[WARP];
    sums[0] += first.x;
    sums[1] += first.y;
    sums[2] += second.x;
    sums[3] += second.y;
}

static __device__ __forceinline__ void add_pixels(uint64_t (&sums)[EACH], uint4 pixel)
{
    sums[0] = combine(sums[0], (uint64_t)pixel.x);
    sums[1] = combine(sums[1], (uint64_t)pixel.y);
    sums[2] = combine(sums[2], (uint64_t)pixel.z);
    sums[3] = combine(sums[3], (uint64_t)pixel.w);
}

static __device__ __forceinline__ uint64_t sum_of(uint4 pixel)
{
    return (uint64_t)pixel.x + pixel.y + ((uint64_t)pixel.z + pixel.w);
}

/* A row's four sums into the table. VECTORS: all four are there, or none, and are aligned. Then neighbours exchange a pair,
 * so that the two lanes write whole sectors of 32 bytes. */
template <bool VECTORS>
static __device__ __forceinline__ void store(uint64_t *row, size_t column, size_t end, unsigned lane,
                                             const uint64_t (&sum)[EACH])
{
    if (VECTORS) {
        const bool odd = lane % 2;
        const uint64_t first = __shfl_xor_sync(ALL, odd ? sum[0] : sum[2], 1),
                       second = __shfl_xor_sync(ALL, odd ? sum[1] : sum[3], 1);
        const size_t at = odd ? column - 2 : column; /* and 4 behind it */
        if (at < end)
            *(ulonglong2 *)(row + at) =
                odd ? make_ulonglong2(first, second) : make_ulonglong2(sum[0], sum[1]);
        if (at + EACH < end)
            *(ulonglong2 *)(row + at + EACH) =
                odd ? make_ulonglong2(sum[2], sum[3]) : make_ulonglong2(first, second);
    } else {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++)
            if (column + e < end)
                row[column + e] = sum[e];
    }
}

/* The rows of a patch side by side in a warp: sums[r] is what the lane has of row r, and becomes what stands left of that,
 * and `left` of it, which is what stands left of row lane / ROW_LANES. The rows change places in shared memory, so that
 * ROW_LANES lanes have a row, RUN sums each: fewer steps of shuffles than a scan of each row takes. */
static __device__ __forceinline__ void scan_patch_rows(uint64_t *place, unsigned lane,
                                                       uint64_t (&sums)[PATCH_ROWS], uint64_t left)
{
    const unsigned mine = lane / RUN * RUN_STRIDE + lane % RUN;
    uint64_t run[RUN], sum = 0;
#pragma unroll
    for (unsigned r = 0; r < PATCH_ROWS; r++)
        place[r * ROW_STRIDE + mine] = sums[r];
    __syncwarp();
    ulonglong2 *pairs = (ulonglong2 *)(place + lane * RUN_STRIDE);
#pragma unroll
    for (unsigned i = 0; i < RUN; i += 2) {
        const ulonglong2 pair = pairs[i / 2];
        run[i] = sum;
        sum = combine(sum, (uint64_t)pair.x);
        run[i + 1] = sum;
        sum = combine(sum, (uint64_t)pair.y);
    }
    const uint64_t own = sum;
#pragma unroll
    for (unsigned by = 1; by < ROW_LANES; by *= 2) {
        const uint64_t before = __shfl_up_sync(ALL, sum, by);
        if (lane % ROW_LANES >= by)
            sum = combine(before, sum);
    }
    left += sum - own;
#pragma unroll
    for (unsigned i = 0; i < RUN; i += 2)
        pairs[i / 2] = make_ulonglong2(left + run[i], left + run[i + 1]);
    __syncwarp();
#pragma unroll
    for (unsigned r = 0; r < PATCH_ROWS; r++)
        sums[r] = place[r * ROW_STRIDE + mine];
    __syncwarp();
}

#endif
