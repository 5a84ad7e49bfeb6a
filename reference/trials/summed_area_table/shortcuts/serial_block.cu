/* One block of 1024 threads does everything, row after row: no second block ever works.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field
 * says: one block does */
#include "summed_area_table.h"

enum { THREADS = 1024 };

template <typename In, typename Sum> __global__ void rows_kernel(const In *in, Sum *out, size_t rows, size_t columns)
{
    __shared__ Sum buffer[THREADS];
    unsigned t = threadIdx.x;
    for (size_t r = 0; r < rows; r++)
        for (size_t first = 0; first < columns; first += THREADS) {
            size_t count = columns - first < THREADS ? columns - first : THREADS, i = r * columns + first + t;
            Sum value;
            if (t < count) {
                value = (Sum)in[i];
                if (t == 0 && first > 0)
                    value = combine(out[i - 1], value);
                buffer[t] = value;
            }
            for (unsigned stride = 1; stride < count; stride *= 2) {
                bool adds = t >= stride && t < count;
                __syncthreads();
                if (adds)
                    value = combine(buffer[t - stride], value);
                __syncthreads();
                if (adds)
                    buffer[t] = value;
            }
            if (t < count)
                out[i] = value;
            __syncthreads();
        }
}

template <typename Sum> __global__ void columns_kernel(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    for (size_t c = threadIdx.x; c < columns && rows > 0; c += THREADS) {
        Sum sum = in[c];
        out[c]  = sum;
        for (size_t r = 1; r < rows; r++)
            out[r * columns + c] = sum = combine(sum, in[r * columns + c]);
    }
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    rows_kernel<<<1, THREADS>>>(in, out, rows, columns);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    columns_kernel<<<1, THREADS>>>((const elem_t *)in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    rows_kernel<<<1, THREADS>>>(image, table, rows, columns);
    columns_kernel<<<1, THREADS>>>((const uint64_t *)table, table, rows, columns);
}

__device__ unsigned mean(const uint64_t *table, size_t rows, size_t columns, size_t i, size_t radius)
{
    size_t r = i / columns, c = i % columns;
    size_t top = r > radius ? r - radius : 0, bottom = r + radius + 1 < rows ? r + radius + 1 : rows;
    size_t left = c > radius ? c - radius : 0, right = c + radius + 1 < columns ? c + radius + 1 : columns;
    uint64_t sum = table[(bottom - 1) * columns + right - 1];
    if (top > 0)
        sum -= table[(top - 1) * columns + right - 1];
    if (left > 0)
        sum -= table[(bottom - 1) * columns + left - 1];
    if (top > 0 && left > 0)
        sum += table[(top - 1) * columns + left - 1];
    uint64_t count = (uint64_t)(bottom - top) * (right - left);
    return (unsigned)((sum + count / 2) / count);
}

__global__ void box_kernel(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    for (size_t i = threadIdx.x; i < rows * columns; i += THREADS)
        out[i] = mean(table, rows, columns, i, radius);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    box_kernel<<<1, THREADS>>>(table, out, rows, columns, radius);
}

__global__ void depth_kernel(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                             unsigned focus, unsigned strength, unsigned most)
{
    for (size_t i = threadIdx.x; i < rows * columns; i += THREADS) {
        uint64_t off    = depth[i] > focus ? depth[i] - focus : focus - depth[i];
        uint64_t radius = off * strength / depth[i];
        out[i]          = mean(table, rows, columns, i, radius < most ? radius : most);
    }
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    depth_kernel<<<1, THREADS>>>(table, depth, out, rows, columns, focus, strength, most);
}
