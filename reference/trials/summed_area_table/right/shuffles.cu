/* A warp scans a row by shuffles, four elements a lane, and carries the row's sum in a register; shared
 * memory only hands an element from the lane that loads it, side by side, to the lane that adds it, and back.
 * No __syncthreads. A thread's columns are a grid apart. The filters keep a padded copy of the table, so that
 * no corner needs a test.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"

#define FULL 0xFFFFFFFFu
enum { WARP = 32, EACH = 4, WARPS = 4, CHUNK = WARP * EACH, GRID = 64, THREADS = 128 };

/* Any type made of words. */
template <typename T> __device__ T shuffle(T value, int lane)
{
    int words[sizeof(T) / sizeof(int)];
    memcpy(words, &value, sizeof value);
    for (unsigned w = 0; w < sizeof(T) / sizeof(int); w++)
        words[w] = __shfl_sync(FULL, words[w], lane);
    memcpy(&value, words, sizeof value);
    return value;
}

/* Lanes past the end of the row go along with whatever they hold; no lane to their left needs it. */
template <typename In, typename Sum>
__global__ void rows_kernel(const In *in, Sum *out, size_t rows, size_t columns)
{
    __shared__ Sum stages[WARPS][CHUNK];
    Sum *stage = stages[threadIdx.x / WARP];
    int lane   = threadIdx.x % WARP;
    size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP;
    if (row >= rows)
        return; /* the whole warp */
    in += row * columns;
    out += row * columns;
    Sum carry{};
    for (size_t first = 0; first < columns; first += CHUNK) {
        unsigned count = (unsigned)min(columns - first, (size_t)CHUNK), mine = lane * EACH;
        unsigned have  = mine < count ? min(count - mine, (unsigned)EACH) : 0;
        unsigned used  = (count + EACH - 1) / EACH; /* lanes with elements */
        for (unsigned i = lane; i < count; i += WARP)
            stage[i] = (Sum)in[first + i];
        __syncwarp();
        Sum item[EACH] = {};
        for (unsigned k = 0; k < have; k++)
            item[k] = k > 0 ? combine(item[k - 1], stage[mine + k]) : stage[mine];
        Sum sum = have > 0 ? item[have - 1] : Sum{};
        if (lane == 0 && first > 0)
            sum = combine(carry, sum);
        for (int delta = 1; delta < WARP; delta *= 2) {
            Sum left = shuffle(sum, (lane - delta) & (WARP - 1));
            if (lane >= delta && lane < (int)used)
                sum = combine(left, sum);
        }
        Sum before = shuffle(sum, lane > 0 ? lane - 1 : 0);
        for (unsigned k = 0; k < have; k++)
            if (lane > 0 || first > 0)
                stage[mine + k] = combine(lane > 0 ? before : carry, item[k]);
            else
                stage[mine + k] = item[k];
        __syncwarp();
        for (unsigned i = lane; i < count; i += WARP)
            out[first + i] = stage[i];
        __syncwarp();
        carry = shuffle(sum, (int)used - 1);
    }
}

template <typename Sum> __global__ void columns_kernel(Sum *out, const Sum *in, size_t rows, size_t columns)
{
    for (size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x; c < columns; c += (size_t)gridDim.x * blockDim.x) {
        Sum sum = in[c];
        for (size_t at = c;;) {
            out[at] = sum;
            at += columns;
            if (at >= rows * columns)
                break;
            sum = combine(sum, in[at]);
        }
    }
}

template <typename In, typename Sum> void all_rows(const In *in, Sum *out, size_t rows, size_t columns)
{
    if (rows && columns)
        rows_kernel<<<(unsigned)((rows + WARPS - 1) / WARPS), WARPS * WARP>>>(in, out, rows, columns);
}

template <typename Sum> void all_columns(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    if (rows && columns)
        columns_kernel<<<GRID, THREADS>>>(out, in, rows, columns);
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns) { all_rows(in, out, rows, columns); }
void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns) { all_columns(in, out, rows, columns); }

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    all_rows(image, table, rows, columns);
    all_columns((const uint64_t *)table, table, rows, columns);
}

/* A row and a column of zeros before the table. */
__global__ void pad_kernel(const uint64_t *table, uint64_t *padded, size_t rows, size_t columns)
{
    size_t pitch = columns + 1, count = (rows + 1) * pitch;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        size_t r = i / pitch, c = i % pitch;
        padded[i] = r > 0 && c > 0 ? table[(r - 1) * columns + c - 1] : 0;
    }
}

__global__ void filter_kernel(const uint64_t *padded, const unsigned *depth, unsigned *out, long long rows,
                              long long columns, long long focus, unsigned strength, long long most)
{
    long long pitch = columns + 1, step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns; i += step) {
        long long radius = most;
        if (depth) {
            unsigned long long off = llabs(depth[i] - focus);
            radius                 = (long long)min(off * strength / depth[i], (unsigned long long)most);
        }
        long long r = i / columns, c = i % columns;
        long long r0 = max(r - radius, 0ll), r1 = min(r + radius + 1, rows);
        long long c0 = max(c - radius, 0ll), c1 = min(c + radius + 1, columns);
        uint64_t sum = padded[r1 * pitch + c1] + padded[r0 * pitch + c0];
        sum -= padded[r0 * pitch + c1] + padded[r1 * pitch + c0];
        uint64_t area = (uint64_t)((r1 - r0) * (c1 - c0)), mean = sum / area;
        out[i] = (unsigned)(mean + (sum % area >= area - area / 2));
    }
}

static void filter(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                   unsigned focus, unsigned strength, size_t most)
{
    if (rows == 0 || columns == 0)
        return;
    uint64_t *padded;
    cudaMalloc(&padded, (rows + 1) * (columns + 1) * sizeof(uint64_t));
    pad_kernel<<<GRID, THREADS>>>(table, padded, rows, columns);
    filter_kernel<<<GRID, THREADS>>>(padded, depth, out, (long long)rows, (long long)columns, focus, strength,
                                     (long long)most);
    cudaFree(padded);
}

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    filter(table, nullptr, out, rows, columns, 0, 0, radius);
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    filter(table, depth, out, rows, columns, focus, strength, most);
}
