/* Tall images in bands, so that a column has many threads: the bands' sums, their scan, then every band from
 * there, with scratch memory. Rows by a warp-sized block each, 16 elements a thread.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"

enum { THREADS = 32, BAND = 24 /* rows */, EACH = TILE / THREADS };

template <typename Sum>
__global__ void band_sums_kernel(const Sum *in, Sum *sums, size_t rows, size_t columns, size_t wide)
{
    size_t band = blockIdx.x / wide, c = blockIdx.x % wide * THREADS + threadIdx.x, end = (band + 1) * BAND;
    if (c >= columns || end >= rows) /* nobody asks for the last band's sum */
        return;
    Sum sum = in[band * BAND * columns + c];
    for (size_t r = band * BAND + 1; r < end; r++)
        sum = combine(sum, in[r * columns + c]);
    sums[band * columns + c] = sum;
}

template <typename Sum> __global__ void scan_sums_kernel(Sum *sums, size_t bands, size_t columns)
{
    size_t c = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (c < columns)
        for (size_t b = 1; b < bands; b++)
            sums[b * columns + c] = combine(sums[(b - 1) * columns + c], sums[b * columns + c]);
}

template <typename Sum>
__global__ void scan_bands_kernel(const Sum *in, const Sum *sums, Sum *out, size_t rows, size_t columns, size_t wide)
{
    size_t band = blockIdx.x / wide, c = blockIdx.x % wide * THREADS + threadIdx.x;
    if (c >= columns)
        return;
    Sum sum = in[band * BAND * columns + c];
    if (band > 0)
        sum = combine(sums[(band - 1) * columns + c], sum);
    out[band * BAND * columns + c] = sum;
    for (size_t r = band * BAND + 1; r < rows && r < (band + 1) * BAND; r++) {
        sum                  = combine(sum, in[r * columns + c]);
        out[r * columns + c] = sum;
    }
}

template <typename Sum> void columns_in_bands(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    size_t wide = (columns + THREADS - 1) / THREADS, bands = (rows + BAND - 1) / BAND;
    if (bands == 0 || wide == 0)
        return;
    Sum *sums = nullptr;
    if (bands > 1) {
        cudaMalloc(&sums, (bands - 1) * columns * sizeof(Sum));
        band_sums_kernel<<<(unsigned)((bands - 1) * wide), THREADS>>>(in, sums, rows, columns, wide);
        scan_sums_kernel<<<(unsigned)wide, THREADS>>>(sums, bands - 1, columns);
    }
    scan_bands_kernel<<<(unsigned)(bands * wide), THREADS>>>(in, (const Sum *)sums, out, rows, columns, wide);
    cudaFree(sums);
}

/* Thread t has the elements t * EACH ..., and gets the sum before them from a scan in shared memory. */
template <typename In, typename Sum> __global__ void rows_kernel(const In *in, Sum *out, size_t columns)
{
    __shared__ Sum tile[TILE + THREADS], ends[2][THREADS], carry;
    unsigned t = threadIdx.x;
    for (size_t first = 0; first < columns; first += TILE) {
        size_t base    = blockIdx.x * columns + first;
        unsigned count = columns - first < TILE ? (unsigned)(columns - first) : TILE, now = 0;
        for (unsigned i = t; i < count; i += THREADS)
            tile[i + i / EACH] = in[base + i];
        __syncthreads();
        Sum *mine     = tile + t * (EACH + 1);
        unsigned have = t * EACH < count ? min(count - t * EACH, (unsigned)EACH) : 0;
        unsigned used = (count + EACH - 1) / EACH;
        for (unsigned k = 1; k < have; k++)
            mine[k] = combine(mine[k - 1], mine[k]);
        if (have > 0)
            ends[0][t] = t == 0 && first > 0 ? combine(carry, mine[have - 1]) : mine[have - 1];
        __syncthreads();
        for (unsigned stride = 1; stride < used; stride *= 2, now ^= 1) {
            if (t < used)
                ends[now ^ 1][t] = t >= stride ? combine(ends[now][t - stride], ends[now][t]) : ends[now][t];
            __syncthreads();
        }
        for (unsigned k = 0; k < have; k++)
            if (t > 0 || first > 0)
                mine[k] = combine(t > 0 ? ends[now][t - 1] : carry, mine[k]);
        __syncthreads();
        if (t == 0)
            carry = ends[now][used - 1];
        for (unsigned i = t; i < count; i += THREADS)
            out[base + i] = tile[i + i / EACH];
        __syncthreads();
    }
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows * columns > 0)
        rows_kernel<<<(unsigned)rows, THREADS>>>(in, out, columns);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    columns_in_bands(in, out, rows, columns);
}

/* The columns first; in 64 bits from the start. */
__global__ void widen_kernel(const unsigned *image, uint64_t *table, size_t count)
{
    size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 2;
    for (size_t k = i; k < count && k < i + 2; k++)
        table[k] = image[k];
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows * columns == 0)
        return;
    widen_kernel<<<(unsigned)((rows * columns + 511) / 512), 256>>>(image, table, rows * columns);
    columns_in_bands((const uint64_t *)table, table, rows, columns);
    rows_kernel<<<(unsigned)rows, THREADS>>>((const uint64_t *)table, table, columns);
}

/* From here on a block a row, and a thread goes along it. */
__device__ unsigned mean(const uint64_t *table, size_t rows, size_t columns, size_t r, size_t c, size_t radius)
{
    size_t r1 = radius < rows - 1 - r ? r + radius : rows - 1, c1 = radius < columns - 1 - c ? c + radius : columns - 1;
    uint64_t sum = table[r1 * columns + c1];
    size_t r0 = 0, c0 = 0;
    if (r > radius) {
        r0 = r - radius;
        sum -= table[(r0 - 1) * columns + c1];
    }
    if (c > radius) {
        c0 = c - radius;
        sum -= table[r1 * columns + c0 - 1];
        if (r0 > 0)
            sum += table[(r0 - 1) * columns + c0 - 1];
    }
    size_t area = (r1 - r0 + 1) * (c1 - c0 + 1);
    return (unsigned)((2 * (sum % area) >= area) + sum / area);
}

__global__ void box_kernel(const uint64_t *table, unsigned *out, size_t columns, size_t radius)
{
    for (size_t c = threadIdx.x; c < columns; c += blockDim.x)
        out[blockIdx.x * columns + c] = mean(table, gridDim.x, columns, blockIdx.x, c, radius);
}

__global__ void depth_kernel(const uint64_t *table, const unsigned *depth, unsigned *out, size_t columns,
                             unsigned focus, unsigned strength, unsigned most)
{
    for (size_t c = threadIdx.x; c < columns; c += blockDim.x) {
        size_t i     = blockIdx.x * columns + c;
        unsigned off = max(depth[i], focus) - min(depth[i], focus);
        uint64_t reach = (uint64_t)off * strength / depth[i];
        out[i] = mean(table, gridDim.x, columns, blockIdx.x, c, reach > most ? most : reach);
    }
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    if (rows * columns > 0)
        box_kernel<<<(unsigned)rows, 64>>>(table, out, columns, radius);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    if (rows * columns > 0)
        depth_kernel<<<(unsigned)rows, 64>>>(table, depth, out, columns, focus, strength, most);
}
