/* One kernel for rows and for columns, with one of its two steps left out: a block goes along its rows tile by tile, or
 * down its tile of columns row by row.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"

enum { EACH = 4, THREADS = TILE / EACH };
enum steps { ALONG = 1, DOWN = 2 };

/* Block b has the rows from b * height on. Up-sweep and down-sweep by Brent and Kung over the threads' sums.
 * */
template <typename In, typename Sum>
__global__ void table_kernel(const In *in, Sum *out, size_t rows, size_t columns, size_t height, int steps)
{
    __shared__ Sum sums[THREADS], tile[TILE];
    unsigned t   = threadIdx.x;
    size_t begin = blockIdx.x * height, end = min(begin + height, rows);
    for (size_t r = begin; r < end; r++)
        for (size_t first = (size_t)blockIdx.y * TILE; first < columns; first += (size_t)gridDim.y * TILE) {
            size_t at      = r * columns + first;
            unsigned count = (unsigned)min(columns - first, (size_t)TILE), used = (count + EACH - 1) / EACH;
            for (unsigned i = t; i < count; i += THREADS)
                tile[i] = in[at + i];
            __syncthreads();
            if (steps & ALONG) {
                Sum own;
                unsigned from = t * EACH, to = min(from + EACH, count);
                if (t < used) {
                    own = tile[from];
                    for (unsigned i = from + 1; i < to; i++)
                        own = tile[i] = combine(own, tile[i]);
                    sums[t] = own;
                }
                __syncthreads();
                for (unsigned d = 1; d < used; d *= 2) {
                    unsigned right = (t + 1) * 2 * d - 1;
                    if (right < used)
                        sums[right] = combine(sums[right - d], sums[right]);
                    __syncthreads();
                }
                for (unsigned d = THREADS / 4; d > 0; d /= 2) {
                    unsigned right = (t + 1) * 2 * d - 1 + d;
                    if (right < used)
                        sums[right] = combine(sums[right - d], sums[right]);
                    __syncthreads();
                }
                if (t > 0 && t < used)
                    for (unsigned i = from; i < to; i++)
                        tile[i] = combine(sums[t - 1], tile[i]);
                __syncthreads();
            }
            /* The sum to the left in this row, which with DOWN is in out only as part of a larger sum. */
            __shared__ Sum carry;
            for (unsigned i = t; i < count; i += THREADS) {
                Sum sum = tile[i];
                if ((steps & ALONG) && first > 0)
                    sum = combine(carry, sum);
                tile[i] = sum;
                if ((steps & DOWN) && r > begin)
                    sum = combine(out[at - columns + i], sum);
                out[at + i] = sum;
            }
            __syncthreads();
            if (t == 0)
                carry = tile[count - 1];
            __syncthreads();
        }
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0)
        table_kernel<<<(unsigned)((rows + 2) / 3), THREADS>>>(in, out, rows, columns, 3, ALONG);
}

/* A block for each tile of columns; a grid has room for 65535 in y, and then they take turns. */
template <typename Sum> static void down(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    size_t stripes = (columns + TILE - 1) / TILE;
    table_kernel<<<dim3(1, (unsigned)min(stripes, (size_t)65535)), THREADS>>>(in, out, rows, columns, rows, DOWN);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0)
        down(in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0) {
        table_kernel<<<(unsigned)((rows + 2) / 3), THREADS>>>(image, table, rows, columns, 3, ALONG);
        down(table, table, rows, columns);
    }
}

/* One kernel for both filters: no depths, no lens. Each thread makes eight pixels. */
__global__ void blur_kernel(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                            unsigned focus, unsigned strength, size_t most)
{
    const size_t all = rows * columns, base = (size_t)blockIdx.x * blockDim.x * 8 + threadIdx.x;
    for (size_t i = base; i < all && i < base + blockDim.x * 8; i += blockDim.x) {
        size_t radius = most, r = i / columns, c = i - r * columns;
        if (depth != nullptr) {
            uint64_t d = depth[i], blur = (d < focus ? focus - d : d - focus) * strength / d;
            radius = blur < most ? blur : most;
        }
        uint64_t sum = 0, height = 0, width = 0;
        for (int corner = 0; corner < 4; corner++) {
            bool above = corner & 1, before = corner & 2;
            size_t y = above ? (r > radius ? r - radius : 0) : min(r + radius, rows - 1) + 1;
            size_t x = before ? (c > radius ? c - radius : 0) : min(c + radius, columns - 1) + 1;
            height += before ? 0 : above ? -y : y;
            width += above ? 0 : before ? -x : x;
            if (y > 0 && x > 0)
                sum += above == before ? table[(y - 1) * columns + x - 1] : -table[(y - 1) * columns + x - 1];
        }
        out[i] = (unsigned)((sum + height * width / 2) / (height * width));
    }
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    size_t blocks = (rows * columns + 1023) / 1024;
    if (blocks > 0)
        blur_kernel<<<(unsigned)blocks, 128>>>(table, nullptr, out, rows, columns, 0, 0, radius);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    size_t blocks = (rows * columns + 511) / 512;
    if (blocks > 0)
        blur_kernel<<<(unsigned)blocks, 64>>>(table, depth, out, rows, columns, focus, strength, most);
}
