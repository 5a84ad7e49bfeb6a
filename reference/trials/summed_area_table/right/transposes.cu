/* Rows only: columns become rows by transposing, for sat the whole image in global memory (Harris, Sengupta &
 * Owens), for scan_columns one square after the other in shared memory. The filters have blocks of two
 * dimensions.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"

enum { SIDE = 32, LINES = 8, EACH = 4, ROW_THREADS = TILE / EACH };

/* Reduce each thread's run, scan the sums by Blelloch's tree, scan each run from there. */
template <typename In, typename Sum> __global__ void rows_kernel(const In *in, Sum *out, size_t columns)
{
    __shared__ Sum values[TILE], sums[ROW_THREADS], carry;
    const In *row = in + blockIdx.x * columns;
    Sum *row_out  = out + blockIdx.x * columns;
    unsigned t    = threadIdx.x;

    for (size_t first = 0; first < columns; first += TILE) {
        unsigned count = (unsigned)min(columns - first, (size_t)TILE);
        for (unsigned i = t; i < count; i += blockDim.x)
            values[i] = row[first + i];
        __syncthreads();
        unsigned begin = min(t * EACH, count), end = min(begin + EACH, count), used = (count + EACH - 1) / EACH;
        if (begin < end) {
            Sum sum = values[begin];
            for (unsigned i = begin + 1; i < end; i++)
                sum = combine(sum, values[i]);
            sums[t] = sum;
        }
        __syncthreads();
        if (t == 0) {
            if (first > 0)
                sums[0] = combine(carry, sums[0]);
            for (unsigned i = 1; i < used; i++)
                sums[i] = combine(sums[i - 1], sums[i]);
        }
        __syncthreads();
        if (begin < end) {
            Sum sum = values[begin];
            if (t > 0)
                sum = combine(sums[t - 1], sum);
            else if (first > 0)
                sum = combine(carry, sum);
            values[begin] = sum;
            for (unsigned i = begin + 1; i < end; i++)
                values[i] = sum = combine(sum, values[i]);
        }
        __syncthreads();
        if (t == 0)
            carry = values[count - 1];
        for (unsigned i = t; i < count; i += blockDim.x)
            row_out[first + i] = values[i];
        __syncthreads();
    }
}

template <typename T> __global__ void transpose_kernel(const T *in, T *out, size_t rows, size_t columns)
{
    __shared__ T square[SIDE][SIDE + 1];
    size_t wide = (columns + SIDE - 1) / SIDE;
    size_t top = blockIdx.x / wide * SIDE, left = blockIdx.x % wide * SIDE;
    for (unsigned y = threadIdx.y; y < SIDE; y += LINES)
        if (top + y < rows && left + threadIdx.x < columns)
            square[y][threadIdx.x] = in[(top + y) * columns + left + threadIdx.x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < SIDE; y += LINES)
        if (left + y < columns && top + threadIdx.x < rows)
            out[(left + y) * rows + top + threadIdx.x] = square[threadIdx.x][y];
}

/* A warp-wide strip of columns; a square is loaded, thread x scans its column x. */
__global__ void strips_kernel(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    __shared__ elem_t square[SIDE][SIDE + 1], last[SIDE];
    size_t column = (size_t)blockIdx.x * SIDE + threadIdx.x;
    for (size_t top = 0; top < rows; top += SIDE) {
        for (unsigned y = threadIdx.y; y < SIDE; y += LINES)
            if (column < columns && top + y < rows)
                square[y][threadIdx.x] = in[(top + y) * columns + column];
        __syncthreads();
        if (threadIdx.y == 0 && column < columns) {
            for (unsigned y = 0; y < SIDE && top + y < rows; y++) {
                if (top + y > 0)
                    square[y][threadIdx.x] = combine(last[threadIdx.x], square[y][threadIdx.x]);
                last[threadIdx.x] = square[y][threadIdx.x];
            }
        }
        __syncthreads();
        for (unsigned y = threadIdx.y; y < SIDE; y += LINES)
            if (column < columns && top + y < rows)
                out[(top + y) * columns + column] = square[y][threadIdx.x];
        __syncthreads();
    }
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows && columns)
        rows_kernel<<<(unsigned)rows, ROW_THREADS>>>(in, out, columns);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows && columns)
        strips_kernel<<<(unsigned)((columns + SIDE - 1) / SIDE), dim3(SIDE, LINES)>>>(in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    unsigned squares = (unsigned)((rows + SIDE - 1) / SIDE * ((columns + SIDE - 1) / SIDE));
    uint64_t *turned;
    cudaMalloc(&turned, rows * columns * sizeof(uint64_t));
    rows_kernel<<<(unsigned)rows, ROW_THREADS>>>(image, table, columns);
    transpose_kernel<<<squares, dim3(SIDE, LINES)>>>((const uint64_t *)table, turned, rows, columns);
    rows_kernel<<<(unsigned)columns, ROW_THREADS>>>((const uint64_t *)turned, turned, rows);
    transpose_kernel<<<squares, dim3(SIDE, LINES)>>>((const uint64_t *)turned, table, columns, rows);
    cudaFree(turned);
}

/* Blocks of 32 x 8 pixels along x; each goes down the image as far as the grid's y leaves to do. */
template <typename Radius>
__global__ void filter_kernel(const uint64_t *table, unsigned *out, size_t rows, size_t columns, Radius radius)
{
    size_t c = (size_t)blockIdx.x * SIDE + threadIdx.x;
    for (size_t r = (size_t)blockIdx.y * LINES + threadIdx.y; r < rows && c < columns; r += (size_t)gridDim.y * LINES) {
        uint64_t reach = radius.at(r * columns + c);
        size_t bottom = min(r + reach, rows - 1), right = min(c + reach, columns - 1);
        size_t height = bottom + 1 - (r > reach ? r - reach : 0), width = right + 1 - (c > reach ? c - reach : 0);
        const uint64_t *corner = table + bottom * columns + right;
        uint64_t sum = *corner;
        if (height <= bottom)
            sum -= corner[-(ptrdiff_t)(height * columns)];
        if (width <= right)
            sum -= corner[-(ptrdiff_t)width];
        if (height <= bottom && width <= right)
            sum += corner[-(ptrdiff_t)(height * columns + width)];
        uint64_t count     = height * width;
        out[r * columns + c] = (unsigned)((sum + count / 2) / count);
    }
}

struct same_radius {
    size_t radius;
    __device__ uint64_t at(size_t) const { return radius; }
};

struct lens_radius {
    const unsigned *depth;
    uint64_t focus, strength, most;
    __device__ uint64_t at(size_t i) const
    {
        uint64_t d = depth[i];
        return min(strength * (max(d, focus) - min(d, focus)) / d, most);
    }
};

template <typename Radius>
void filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, Radius radius)
{
    dim3 grid((unsigned)((columns + SIDE - 1) / SIDE), (unsigned)min((rows + LINES - 1) / LINES, (size_t)1000));
    if (rows && columns)
        filter_kernel<<<grid, dim3(SIDE, LINES)>>>(table, out, rows, columns, radius);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    filter(table, out, rows, columns, same_radius{radius});
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    filter(table, out, rows, columns, lens_radius{depth, focus, strength, most});
}
