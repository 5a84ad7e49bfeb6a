/* Bands of rows in three streams, which events join; blocks that stay, 16 neighbours a thread in dynamic shared memory, a
 * row's tiles of 2048. Columns two a thread, the image's lower half from the sums of the upper one.
 *
 * parts: scan_rows scan_columns sat box_filter depth_of_field */
#include "summed_area_table.h"

enum { THREADS = 128, EACH = 16, CHUNK = THREADS * EACH, STREAMS = 3, BLOCKS = 12 };

extern __shared__ unsigned long long shared[];

__device__ unsigned place(unsigned i)
{
    return i + i / EACH;
}

template <typename In, typename Sum> __global__ void rows_kernel(const In *in, Sum *out, size_t rows, size_t columns)
{
    Sum *chunk = (Sum *)shared, *sums = chunk + CHUNK + THREADS;
    unsigned t = threadIdx.x;
    for (size_t row = blockIdx.x; row < rows; row += gridDim.x)
        for (size_t first = 0; first < columns; first += CHUNK) {
            size_t at      = row * columns + first;
            unsigned count = columns - first < CHUNK ? (unsigned)(columns - first) : (unsigned)CHUNK;
            unsigned each = (count + THREADS - 1) / THREADS, begin = min(t * each, count), end = min(begin + each, count);
            for (unsigned i = t; i < count; i += THREADS)
                chunk[place(i)] = (Sum)in[at + i];
            if (t == 0 && first > 0)
                chunk[0] = combine(out[at - 1], chunk[0]);
            __syncthreads();
            if (begin < end) {
                Sum sum = chunk[place(begin)];
                for (unsigned i = begin + 1; i < end; i++)
                    sum = combine(sum, chunk[place(i)]);
                sums[t] = sum;
            }
            unsigned used = (count + each - 1) / each;
            for (unsigned stride = 1; stride < used; stride *= 2) {
                Sum left;
                bool adds = t >= stride && t < used;
                __syncthreads();
                if (adds)
                    left = sums[t - stride];
                __syncthreads();
                if (adds)
                    sums[t] = combine(left, sums[t]);
            }
            __syncthreads();
            if (begin < end) {
                Sum sum = chunk[place(begin)];
                if (t > 0)
                    sum = combine(sums[t - 1], sum);
                chunk[place(begin)] = sum;
                for (unsigned i = begin + 1; i < end; i++)
                    chunk[place(i)] = sum = combine(sum, chunk[place(i)]);
            }
            __syncthreads();
            for (unsigned i = t; i < count; i += THREADS)
                out[at + i] = chunk[place(i)];
            __syncthreads();
        }
}

/* Each stream has a third of the rows; the default stream goes on when all three are done. */
template <typename In, typename Sum> static void all_rows(const In *in, Sum *out, size_t rows, size_t columns)
{
    const unsigned bytes = (CHUNK + 2 * THREADS) * sizeof(Sum);
    cudaEvent_t begun;
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventRecord(begun, 0);
    for (unsigned s = 0; s < STREAMS; s++) {
        size_t from = rows * s / STREAMS, count = rows * (s + 1) / STREAMS - from;
        cudaStream_t stream;
        cudaEvent_t done;
        if (count == 0)
            continue;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
        cudaStreamWaitEvent(stream, begun, 0);
        rows_kernel<<<(unsigned)(count < BLOCKS ? count : BLOCKS), THREADS, bytes, stream>>>(
            in + from * columns, out + from * columns, count, columns);
        cudaEventRecord(done, stream);
        cudaStreamWaitEvent(0, done, 0);
        cudaEventDestroy(done);
        cudaStreamDestroy(stream);
    }
    cudaEventDestroy(begun);
}

void scan_rows(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0)
        all_rows(in, out, rows, columns);
}

/* Thread t of a block has columns t and t + 64 of the block's 128. above: the row above `in`, or null. */
template <typename Sum>
__global__ void columns_kernel(const Sum *in, Sum *out, const Sum *above, size_t rows, size_t columns)
{
    for (size_t c = (size_t)blockIdx.x * 128 + threadIdx.x, k = 0; k < 2 && c < columns; k++, c += 64) {
        Sum sum = in[c];
        if (above)
            sum = combine(above[c], sum);
        out[c] = sum;
        for (size_t i = columns + c; i < rows * columns; i += columns)
            out[i] = sum = combine(sum, in[i]);
    }
}

/* What the upper half adds up to, in one row. */
template <typename Sum> __global__ void sum_columns_kernel(const Sum *in, Sum *sums, size_t rows, size_t columns)
{
    size_t c = (size_t)blockIdx.x * 64 + threadIdx.x;
    if (c >= columns)
        return;
    Sum sum = in[c];
    for (size_t i = columns + c; i < rows * columns; i += columns)
        sum = combine(sum, in[i]);
    sums[c] = sum;
}

template <typename Sum> static void all_columns(const Sum *in, Sum *out, size_t rows, size_t columns)
{
    unsigned blocks = (unsigned)((columns + 127) / 128);
    size_t half     = rows / 2;
    Sum *sums       = NULL;
    if (half > 0) {
        cudaMalloc(&sums, columns * sizeof(Sum));
        sum_columns_kernel<<<(unsigned)((columns + 63) / 64), 64>>>(in, sums, half, columns);
        columns_kernel<<<blocks, 64>>>(in, out, (const Sum *)NULL, half, columns);
    }
    columns_kernel<<<blocks, 64>>>(in + half * columns, out + half * columns, (const Sum *)sums, rows - half, columns);
    cudaFree(sums);
}

void scan_columns(const elem_t *in, elem_t *out, size_t rows, size_t columns)
{
    if (rows > 0 && columns > 0)
        all_columns(in, out, rows, columns);
}

void sat(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0)
        return;
    all_rows(image, table, rows, columns);
    all_columns((const uint64_t *)table, table, rows, columns);
}

/* The last row and column of a window, and those before its first: -1 where there is none. */
struct Box {
    long long top, bottom, left, right;
    __device__ Box(long long r, long long c, long long rows, long long columns, unsigned long long radius)
    {
        long long reach = (long long)min(radius, (unsigned long long)max(rows, columns));
        top             = max(r - reach, 0ll) - 1;
        left            = max(c - reach, 0ll) - 1;
        bottom          = min(r + reach, rows - 1);
        right           = min(c + reach, columns - 1);
    }
    __device__ unsigned mean(const uint64_t *table, long long columns) const
    {
        uint64_t sum = table[bottom * columns + right], count = (uint64_t)((bottom - top) * (right - left));
        if (top >= 0)
            sum -= table[top * columns + right];
        if (left >= 0)
            sum -= table[bottom * columns + left];
        if (top >= 0 && left >= 0)
            sum += table[top * columns + left];
        return (unsigned)((sum + count / 2) / count);
    }
};

template <class Radius> __global__ void filter_kernel(const uint64_t *table, unsigned *out, size_t rows, size_t columns, Radius radius)
{
    size_t n = rows * columns, stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = Box(i / columns, i % columns, rows, columns, radius(i)).mean(table, columns);
}

template <class Radius> static void filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, Radius radius)
{
    size_t blocks = (rows * columns + THREADS - 1) / THREADS;
    if (blocks > 0)
        filter_kernel<<<(unsigned)(blocks < 1024 ? blocks : 1024), THREADS>>>(table, out, rows, columns, radius);
}

struct Same {
    size_t radius;
    __device__ unsigned long long operator()(size_t) const { return radius; }
};

struct Lens {
    const unsigned *depth;
    unsigned focus, strength, most;
    __device__ unsigned long long operator()(size_t i) const
    {
        unsigned d = depth[i], off = max(d, focus) - min(d, focus);
        return min((unsigned long long)off * strength / d, (unsigned long long)most);
    }
};

void box_filter(const uint64_t *table, unsigned *out, size_t rows, size_t columns, size_t radius)
{
    filter(table, out, rows, columns, Same{radius});
}

void depth_of_field(const uint64_t *table, const unsigned *depth, unsigned *out, size_t rows, size_t columns,
                    unsigned focus, unsigned strength, unsigned most)
{
    filter(table, out, rows, columns, Lens{depth, focus, strength, most});
}
