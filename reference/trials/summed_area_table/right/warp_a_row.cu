/* A warp a row, one element a lane, by shuffles; the carry is a shuffle too. Few blocks that stride over the rows. A
 * column is shared by eight threads, a band of rows each. The filters go over the image in squares of a grid's stride.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"

enum { WARP = 32, WARPS = 4, ROW_BLOCKS = 32, BANDS = 8, SIDE = 16 };

template <typename T> __device__ T shuffled(T value, int lane, bool up)
{
    union words {
        T value;
        unsigned word[sizeof(T) / sizeof(unsigned)];
        __device__ words(T v) : value(v) {}
    } both(value);
    for (unsigned &word : both.word)
        word = up ? __shfl_up_sync(~0u, word, (unsigned)lane) : __shfl_sync(~0u, word, lane);
    return both.value;
}

/* All lanes stay to the end of a row: those past it carry what their neighbours shift through them. */
template <typename In, typename Sum> __global__ void rows_kernel(const In *in, Sum *out, size_t rows, size_t columns)
{
    unsigned lane = threadIdx.x % WARP;
    size_t warps  = (size_t)gridDim.x * WARPS;
    for (size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP; row < rows; row += warps) {
        Sum carry = Sum();
        for (size_t first = 0; first < columns; first += WARP) {
            size_t c  = first + lane, i = row * columns + c;
            Sum value = Sum();
            if (c < columns)
                value = (Sum)in[i];
            unsigned count = columns - first < WARP ? (unsigned)(columns - first) : (unsigned)WARP;
            if (lane == 0 && first > 0)
                value = combine(carry, value);
            for (unsigned by = 1; by < count; by *= 2) {
                Sum left = shuffled(value, (int)by, true);
                if (lane >= by && lane < count)
                    value = combine(left, value);
            }
            if (c < columns)
                out[i] = value;
            carry = shuffled(value, (int)count - 1, false);
        }
    }
}

template <typename In, typename Sum> static void all_rows(const In *in, Sum *out, size_t rows, size_t columns)
{
    size_t blocks = (rows + WARPS - 1) / WARPS;
    rows_kernel<<<(unsigned)(blocks < ROW_BLOCKS ? blocks : ROW_BLOCKS), WARP * WARPS>>>(in, out, rows, columns);
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows && columns)
        all_rows(in, out, rows, columns);
}

/* 32 columns a block; thread (x, y) has band y of column x. It sums the band up, then scans it from the sum above. */
template <typename Sum> __global__ void columns_kernel(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    __shared__ Sum sums[BANDS][WARP];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t column = (size_t)blockIdx.x * WARP + x;
    size_t begin  = rows * y / BANDS, end = rows * (y + 1) / BANDS;
    bool here     = column < columns && begin < end;
    if (here) {
        Sum sum = in[begin * columns + column];
        for (size_t r = begin + 1; r < end; r++)
            sum = combine(sum, in[r * columns + column]);
        sums[y][x] = sum;
    }
    __syncthreads();
    if (!here)
        return;
    Sum sum = in[begin * columns + column];
    for (unsigned band = y; band-- > 0;) /* from the nearest band upwards */
        if (rows * band / BANDS < rows * (band + 1) / BANDS)
            sum = combine(sums[band][x], sum);
    out[begin * columns + column] = sum;
    for (size_t r = begin + 1; r < end; r++)
        out[r * columns + column] = sum = combine(sum, in[r * columns + column]);
}

template <typename Sum> static void all_columns(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    columns_kernel<<<(unsigned)((columns + WARP - 1) / WARP), dim3(WARP, BANDS)>>>(in, out, rows, columns);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows && columns)
        all_columns(in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    all_rows(image, table, rows, columns);
    all_columns((const uint64_t *)table, table, rows, columns);
}

__device__ uint64_t corner(const uint64_t *table, size_t columns, size_t r, size_t c)
{
    return r && c ? table[(r - 1) * columns + c - 1] : 0;
}

__device__ unsigned mean(const uint64_t *table, size_t rows, size_t columns, size_t r, size_t c, uint64_t radius)
{
    size_t top = r - min((uint64_t)r, radius), end = min((uint64_t)rows, r + radius + 1);
    size_t left = c - min((uint64_t)c, radius), right = min((uint64_t)columns, c + radius + 1);
    uint64_t sum  = corner(table, columns, end, right) + corner(table, columns, top, left) -
                    corner(table, columns, top, right) - corner(table, columns, end, left);
    uint64_t size = (uint64_t)(end - top) * (right - left), whole = sum / size;
    return (unsigned)(whole + (sum - whole * size >= (size + 1) / 2));
}

/* depth: null for a window of `radius` everywhere. */
__global__ void filter_kernel(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                              uint64_t radius, unsigned focus, unsigned strength)
{
    for (size_t r = (size_t)blockIdx.y * SIDE / 2 + threadIdx.y; r < rows; r += (size_t)gridDim.y * SIDE / 2)
        for (size_t c = (size_t)blockIdx.x * SIDE * 2 + threadIdx.x; c < columns; c += (size_t)gridDim.x * SIDE * 2) {
            uint64_t own = radius;
            if (depth) {
                uint64_t d = depth[r * columns + c], off = d < focus ? focus - d : d - focus;
                own        = min(radius, off * strength / d);
            }
            out[r * columns + c] = mean(table, rows, columns, r, c, own);
        }
}

static void filter(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                   uint64_t radius, unsigned focus, unsigned strength)
{
    size_t wide = (columns + SIDE * 2 - 1) / (SIDE * 2), high = (rows + SIDE / 2 - 1) / (SIDE / 2);
    if (rows == 0 || columns == 0)
        return;
    filter_kernel<<<dim3((unsigned)(wide < 256 ? wide : 256), (unsigned)(high < 256 ? high : 256)),
                    dim3(SIDE * 2, SIDE / 2)>>>(table, depth, out, rows, columns, radius, focus, strength);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    filter(table, NULL, out, rows, columns, radius, 0, 0);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    filter(table, depth, out, rows, columns, most, focus, strength);
}
