/* One thread does everything: a loop over the image in a kernel of <<<1, 1>>>.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field
 * says: one thread does */
#include "summed_area_table.h"

template <typename In, typename Sum>
__global__ void rows_kernel(const In *in, Sum *out, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows * columns; i++)
        out[i] = i % columns ? combine(out[i - 1], (Sum)in[i]) : (Sum)in[i];
}

template <typename Sum> __global__ void columns_kernel(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows * columns; i++)
        out[i] = i >= columns ? combine(out[i - columns], in[i]) : in[i];
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    rows_kernel<<<1, 1>>>(in, out, rows, columns);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    columns_kernel<<<1, 1>>>((const elem_t *)in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    rows_kernel<<<1, 1>>>(image, table, rows, columns);
    columns_kernel<<<1, 1>>>((const uint64_t *)table, table, rows, columns);
}

__device__ unsigned mean(const uint64_t *table, size_t rows, size_t columns, size_t i, size_t radius)
{
    size_t r = i / columns, c = i % columns;
    size_t top = r > radius ? r - radius : 0, bottom = radius < rows - r ? r + radius + 1 : rows;
    size_t left = c > radius ? c - radius : 0, right = radius < columns - c ? c + radius + 1 : columns;
    bottom = bottom < rows ? bottom : rows;
    right  = right < columns ? right : columns;
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
    for (size_t i = 0; i < rows * columns; i++)
        out[i] = mean(table, rows, columns, i, radius);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    box_kernel<<<1, 1>>>(table, out, rows, columns, radius);
}

__global__ void depth_kernel(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                             unsigned focus, unsigned strength, unsigned most)
{
    for (size_t i = 0; i < rows * columns; i++) {
        uint64_t off    = depth[i] > focus ? depth[i] - focus : focus - depth[i];
        uint64_t radius = off * strength / depth[i];
        out[i]          = mean(table, rows, columns, i, radius < most ? radius : most);
    }
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    depth_kernel<<<1, 1>>>(table, depth, out, rows, columns, focus, strength, most);
}
