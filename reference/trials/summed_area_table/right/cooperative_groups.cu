/* Cooperative groups: a tile of 16 threads a row, with shared memory of its own in a dynamic array; columns
 * by a block that shares them out by rank.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { GROUP = 16, GROUPS = 4, EACH = 8, CHUNK = GROUP * EACH };

/* Of each group: a chunk of its row, then the sums of its threads. */
template <typename In, typename Sum>
__global__ void rows_kernel(const In *in, Sum *out, size_t rows, size_t columns)
{
    extern __shared__ __align__(16) unsigned char memory[];
    auto group = cg::tiled_partition<GROUP>(cg::this_thread_block());
    Sum *chunk = reinterpret_cast<Sum *>(memory) + group.meta_group_rank() * (CHUNK + GROUP), *sums = chunk + CHUNK;
    size_t row = (size_t)blockIdx.x * GROUPS + group.meta_group_rank();
    unsigned t = group.thread_rank();
    if (row >= rows)
        return;
    Sum carry = Sum();
    for (size_t first = 0; first < columns; first += CHUNK) {
        size_t base    = row * columns + first;
        unsigned count = columns - first < CHUNK ? (unsigned)(columns - first) : (unsigned)CHUNK;
        unsigned begin = t * EACH, end = begin + EACH < count ? begin + EACH : count, used = (count + EACH - 1) / EACH;
        for (unsigned i = t; i < count; i += GROUP)
            chunk[i] = Sum(in[base + i]);
        group.sync();
        if (t < used) {
            if (t == 0 && first > 0)
                chunk[0] = combine(carry, chunk[0]);
            for (unsigned i = begin + 1; i < end; i++)
                chunk[i] = combine(chunk[i - 1], chunk[i]);
            sums[t] = chunk[end - 1];
        }
        group.sync();
        if (t == 0)
            for (unsigned k = 1; k < used; k++)
                sums[k] = combine(sums[k - 1], sums[k]);
        group.sync();
        carry = sums[used - 1];
        for (unsigned i = begin; t > 0 && i < end; i++)
            chunk[i] = combine(sums[t - 1], chunk[i]);
        group.sync();
        for (unsigned i = t; i < count; i += GROUP)
            out[base + i] = chunk[i];
        group.sync();
    }
}

template <typename Sum> __global__ void columns_kernel(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    cg::grid_group grid = cg::this_grid();
    for (size_t c = grid.thread_rank(); c < columns; c += grid.size()) {
        Sum sum = out[c] = in[c];
        for (size_t r = 1; r < rows; r++)
            out[r * columns + c] = sum = combine(sum, in[r * columns + c]);
    }
}

template <typename In, typename Sum> void rows_of(const In *in, Sum *out, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    rows_kernel<<<(unsigned)((rows + GROUPS - 1) / GROUPS), GROUP * GROUPS, GROUPS * (CHUNK + GROUP) * sizeof(Sum)>>>(
        in, out, rows, columns);
}

template <typename Sum> void columns_of(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    columns_kernel<<<(unsigned)((columns + 191) / 192), 96>>>(in, out, rows, columns);
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns) { rows_of(in, out, rows, columns); }
void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns) { columns_of(in, out, rows, columns); }

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    rows_of(image, table, rows, columns);
    columns_of((const uint64_t *)table, table, rows, columns);
}

/* Radii first, into memory of their own; then one filter for both. */
__global__ void radii_kernel(const unsigned *depth, uint64_t *radii, size_t n, uint64_t focus, uint64_t strength,
                             uint64_t most)
{
    size_t i = cg::this_grid().thread_rank();
    if (i < n)
        radii[i] = min(most, (depth[i] > focus ? depth[i] - focus : focus - depth[i]) * strength / depth[i]);
}

/* Sums of whole rows above a row, between two columns. */
__device__ uint64_t above(const uint64_t *table, size_t columns, size_t row, size_t left, size_t right)
{
    if (row == 0)
        return 0;
    const uint64_t *line = table + (row - 1) * columns;
    return left > 0 ? line[right - 1] - line[left - 1] : line[right - 1];
}

__global__ void filter_kernel(const uint64_t *table, const uint64_t *radii, unsigned *out, size_t rows, size_t columns,
                              size_t radius)
{
    size_t i = cg::this_grid().thread_rank();
    if (i >= rows * columns)
        return;
    if (radii)
        radius = radii[i];
    size_t r = i / columns, c = i % columns;
    size_t top = r - min(r, radius), left = c - min(c, radius);
    size_t bottom = r + 1 + min(rows - 1 - r, radius), right = c + 1 + min(columns - 1 - c, radius);
    uint64_t sum = above(table, columns, bottom, left, right) - above(table, columns, top, left, right);
    uint64_t n   = (bottom - top) * (right - left);
    out[i]       = (unsigned)((sum + n / 2) / n);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    if (rows && columns)
        filter_kernel<<<(unsigned)((rows * columns + 95) / 96), 96>>>(table, nullptr, out, rows, columns, radius);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    size_t n = rows * columns;
    uint64_t *radii;
    if (n == 0)
        return;
    cudaMalloc(&radii, n * sizeof *radii);
    radii_kernel<<<(unsigned)((n + 127) / 128), 128>>>(depth, radii, n, focus, strength, most);
    filter_kernel<<<(unsigned)((n + 31) / 32), 32>>>(table, radii, out, rows, columns, 0);
    cudaFree(radii);
}
