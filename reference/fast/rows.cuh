/* rows.cuh: scans of many rows, of any monoid. The launch stands in summed_area_table.cu. */
#ifndef FAST_ROWS_CUH
#define FAST_ROWS_CUH

#include "summed_area_table.h"
#include "table_waves.cuh"
#include <string.h>

/* A warp a row, LOADS elements of each lane at once: 32 neighbours are scanned by shuffles, all of these scans side by side,
 * and then what stands before goes from one to the next. Neither shared memory nor barriers; what there is to wait for,
 * other warps' work hides. So it is for images of many rows. */
enum {
#ifdef __SIMT__
    ROW_THREADS = 32,
#else
    ROW_THREADS = 128,
#endif
    LOADS = 16
};

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

__global__ void __launch_bounds__(ROW_THREADS)
    scan_rows_kernel(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t row = ((size_t)blockIdx.x * ROW_THREADS + threadIdx.x) / WARP;
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

#endif
