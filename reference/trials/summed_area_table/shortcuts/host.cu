/* The host does everything: copy back, a loop, copy in.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field
 * says: the host */
#include "summed_area_table.h"
#include <vector>

template <typename T> static std::vector<T> fetch(const T *array, size_t n)
{
    std::vector<T> values(n);
    cudaMemcpy(values.data(), array, n * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

template <typename T> static void put(T *array, const std::vector<T> &values)
{
    cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
}

template <typename T> static void along(std::vector<T> &values, size_t columns)
{
    for (size_t i = 0; i < values.size(); i++)
        if (i % columns)
            values[i] = combine(values[i - 1], values[i]);
}

template <typename T> static void down(std::vector<T> &values, size_t columns)
{
    for (size_t i = columns; i < values.size(); i++)
        values[i] = combine(values[i - columns], values[i]);
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    std::vector<elem_t> values = fetch(in, rows * columns);
    along(values, columns);
    put(out, values);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    std::vector<elem_t> values = fetch(in, rows * columns);
    down(values, columns);
    put(out, values);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    std::vector<unsigned> pixels = fetch(image, rows * columns);
    std::vector<uint64_t> sums(pixels.begin(), pixels.end());
    along(sums, columns);
    down(sums, columns);
    put(table, sums);
}

static unsigned mean(const std::vector<uint64_t> &table, size_t rows, size_t columns, size_t i, size_t radius)
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

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    std::vector<uint64_t> sums = fetch(table, rows * columns);
    std::vector<unsigned> means(rows * columns);
    for (size_t i = 0; i < means.size(); i++)
        means[i] = mean(sums, rows, columns, i, radius);
    put(out, means);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    std::vector<uint64_t> sums   = fetch(table, rows * columns);
    std::vector<unsigned> depths = fetch(depth, rows * columns), means(rows * columns);
    for (size_t i = 0; i < means.size(); i++) {
        uint64_t off    = depths[i] > focus ? depths[i] - focus : focus - depths[i];
        uint64_t radius = off * strength / depths[i];
        means[i]        = mean(sums, rows, columns, i, radius < most ? radius : most);
    }
    put(out, means);
}
