/* A table with pitched rows, and a row and a column of zeros before it, made by copies and fills of two dimensions. Launches
 * pass structs in braces. A warp a row, and eight threads a column.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"
#include <algorithm>
#include <cstring>

namespace
{

constexpr unsigned WARP = 32, BANDS = 8;

template <class T> __device__ __forceinline__ T lane_up(T value, unsigned by)
{
    unsigned words[sizeof(T) / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned &word : words)
        word = __shfl_up_sync(~0u, word, by);
    memcpy(&value, words, sizeof value);
    return value;
}

template <class T> __device__ __forceinline__ T last_lane(T value)
{
    unsigned words[sizeof(T) / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned &word : words)
        word = __shfl_sync(~0u, word, WARP - 1);
    memcpy(&value, words, sizeof value);
    return value;
}

/* What a scan reads and writes. */
template <class From, class To> struct image_of {
    const From *in;
    To *out;
    size_t rows, columns;
};

template <class From, class To> __global__ void rows_kernel(image_of<From, To> image)
{
    const unsigned lane = threadIdx.x;
    const size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    if (row >= image.rows)
        return;
    const From *in = image.in + row * image.columns;
    To *out = image.out + row * image.columns, carry{};
    for (size_t first = 0; first < image.columns; first += WARP) {
        const bool inside = first + lane < image.columns;
        To sum{};
        if (inside)
            sum = (To)in[first + lane];
        for (unsigned stride = 1; stride < WARP; stride *= 2) {
            const To left = lane_up(sum, stride);
            if (lane >= stride && inside)
                sum = combine(left, sum);
        }
        if (first > 0 && inside)
            sum = combine(carry, sum);
        if (inside)
            out[first + lane] = sum;
        carry = last_lane(sum);
    }
}

/* A block takes 32 columns, and each of its rows of threads a band: first the bands' sums, then the bands. */
template <class T> __global__ void columns_kernel(image_of<T, T> image)
{
    __shared__ T sums[BANDS][WARP];
    const size_t column = blockIdx.x * (size_t)WARP + threadIdx.x, columns = image.columns;
    const size_t band = (image.rows + BANDS - 1) / BANDS;
    const size_t first = min(image.rows, band * threadIdx.y), last = min(image.rows, first + band);
    const bool working = column < columns && first < last;
    if (working) {
        T sum = image.in[first * columns + column];
        for (size_t row = first + 1; row < last; row++)
            sum = combine(sum, image.in[row * columns + column]);
        sums[threadIdx.y][threadIdx.x] = sum;
    }
    __syncthreads();
    if (!working)
        return;
    T running = image.in[first * columns + column];
    for (unsigned above = threadIdx.y; above-- > 0;)
        running = combine(sums[above][threadIdx.x], running);
    image.out[first * columns + column] = running;
    for (size_t row = first + 1; row < last; row++) {
        running = combine(running, image.in[row * columns + column]);
        image.out[row * columns + column] = running;
    }
}

template <class From, class To> void scan_each_row(const From *in, To *out, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0)
        rows_kernel<From, To><<<(unsigned)((rows + 3) / 4), dim3(WARP, 4)>>>({in, out, rows, columns});
}

template <class T> void scan_each_column(const T *in, T *out, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0)
        columns_kernel<T>
            <<<(unsigned)((columns + WARP - 1) / WARP), dim3(WARP, BANDS)>>>({in, out, rows, columns});
}

/* at(r, c) is the sum of the elements above row r and before column c. */
struct padded_table {
    uint64_t *sums;
    size_t pitch; /* elements */

    __device__ uint64_t at(size_t row, size_t column) const
    {
        return sums[row * pitch + column];
    }
};

padded_table make_padded(const uint64_t *table, size_t rows, size_t columns)
{
    const size_t width = columns * sizeof *table;
    padded_table padded;
    size_t pitch;
    cudaMallocPitch(&padded.sums, &pitch, width + sizeof *table, rows + 1);
    padded.pitch = pitch / sizeof *table;
    cudaMemset2DAsync(padded.sums, pitch, 0, width + sizeof *table, 1);
    cudaMemset2DAsync(padded.sums, pitch, 0, sizeof *table, rows + 1);
    cudaMemcpy2DAsync(padded.sums + padded.pitch + 1, pitch, table, width, width, rows,
                      cudaMemcpyDeviceToDevice);
    return padded;
}

struct lens {
    unsigned focus, strength, most;
};

__device__ uint64_t radius_at(lens lens, unsigned depth)
{
    const uint64_t off = depth > lens.focus ? depth - lens.focus : lens.focus - depth;
    return min(lens.strength * off / depth, (uint64_t)lens.most);
}

__device__ unsigned mean_at(padded_table table, size_t rows, size_t columns, size_t i, size_t radius)
{
    const size_t row = i / columns, column = i % columns;
    const size_t top = row - min(row, radius), bottom = min(rows, row + radius + 1);
    const size_t left = column - min(column, radius), right = min(columns, column + radius + 1);
    const uint64_t sum =
        table.at(bottom, right) - table.at(top, right) - table.at(bottom, left) + table.at(top, left);
    const uint64_t count = (uint64_t)(bottom - top) * (right - left);
    return (unsigned)(sum / count + (sum % count >= count - sum % count));
}

__global__ void box_kernel(padded_table table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < rows * columns)
        out[i] = mean_at(table, rows, columns, i, radius);
}

__global__ void lens_kernel(padded_table table, const unsigned *depth, unsigned *out, size_t rows,
                            size_t columns, lens by)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < rows * columns)
        out[i] = mean_at(table, rows, columns, i, radius_at(by, depth[i]));
}

} // namespace

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    scan_each_row(in, out, rows, columns);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    scan_each_column(in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    scan_each_row(image, table, rows, columns);
    scan_each_column(table, table, rows, columns);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    if (rows == 0 || columns == 0)
        return;
    const padded_table padded = make_padded(table, rows, columns);
    box_kernel<<<(unsigned)((rows * columns + 255) / 256), 256>>>({padded.sums, padded.pitch}, out, rows,
                                                                  columns, radius);
    cudaFree(padded.sums);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    if (rows == 0 || columns == 0)
        return;
    const padded_table padded = make_padded(table, rows, columns);
    lens_kernel<<<(unsigned)((rows * columns + 255) / 256), 256>>>(padded, depth, out, rows, columns,
                                                                   {focus, strength, most});
    cudaFree(padded.sums);
}
