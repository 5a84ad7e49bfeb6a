/* peers.cu: see peers.h. */
#include "peers.h"

#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

/* Memory that is kept for the next call, so that only the first call of a length allocates. This shows CUB at its
 * best. */
static void *kept_memory(void **memory, size_t *held, size_t bytes)
{
    if (bytes > *held) {
        cudaFree(*memory);
        cudaMalloc(memory, bytes);
        *held = bytes;
    }
    return *memory;
}

/* Calls run(scratch, bytes) twice, as CUB's functions require: the first call only asks for the number of bytes. */
template <class Run> static void with_scratch(Run run)
{
    static void *scratch;
    static size_t held;
    size_t bytes = 0;
    run(nullptr, bytes);
    kept_memory(&scratch, &held, bytes);
    run(scratch, bytes);
}

int peer_version(void)
{
    return CUB_VERSION;
}

void peer_reduce(const int *in, int *out, size_t n)
{
    with_scratch([=](void *scratch, size_t &bytes) { cub::DeviceReduce::Sum(scratch, bytes, in, out, n); });
}

void peer_scan(const int *in, int *out, size_t n)
{
    with_scratch(
        [=](void *scratch, size_t &bytes) { cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n); });
}

struct is_kept {
    __host__ __device__ __forceinline__ bool operator()(int x) const
    {
        return x != 0;
    }
};

size_t peer_compact(const int *in, int *out, size_t n)
{
    static size_t *selected; /* on the device; one for the process */
    size_t count = 0;
    if (!selected)
        cudaMalloc(&selected, sizeof *selected);
    with_scratch([=](void *scratch, size_t &bytes) {
        cub::DeviceSelect::If(scratch, bytes, in, out, selected, n, is_kept());
    });
    cudaMemcpy(&count, selected, sizeof count, cudaMemcpyDeviceToHost);
    return count;
}

template <class Key> static void sort(const Key *in, Key *out, size_t n)
{
    with_scratch(
        [=](void *scratch, size_t &bytes) { cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n); });
}

void peer_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort(in, out, n);
}

void peer_sort_int(const int *in, int *out, size_t n)
{
    sort(in, out, n);
}

void peer_sort_float(const float *in, float *out, size_t n)
{
    sort(in, out, n);
}

void peer_sort_long(const uint64_t *in, uint64_t *out, size_t n)
{
    sort(in, out, n);
}

void peer_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                     size_t n)
{
    with_scratch([=](void *scratch, size_t &bytes) {
        cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, keys_out, values, values_out, n);
    });
}

/* ---- images ---------------------------------------------------------------------------------------------------- */

struct row_of {
    size_t columns;
    __host__ __device__ __forceinline__ size_t operator()(size_t i) const
    {
        return i / columns;
    }
};

template <class In, class Sum> static void scan_rows(In in, Sum *out, size_t rows, size_t columns)
{
    auto keys = thrust::make_transform_iterator(thrust::make_counting_iterator((size_t)0), row_of{columns});
    with_scratch([=](void *scratch, size_t &bytes) {
        cub::DeviceScan::InclusiveSumByKey(scratch, bytes, keys, in, out, rows * columns);
    });
}

enum { SIDE = 32 /* side of a tile that is transposed */ };

template <class T> __global__ void transpose_kernel(const T *in, T *out, size_t rows, size_t columns)
{
    __shared__ T tile[SIDE][SIDE + 1];
    const size_t row = (size_t)blockIdx.y * SIDE, column = (size_t)blockIdx.x * SIDE;
    for (unsigned r = threadIdx.y; r < SIDE && row + r < rows; r += blockDim.y)
        if (column + threadIdx.x < columns)
            tile[r][threadIdx.x] = in[(row + r) * columns + column + threadIdx.x];
    __syncthreads();
    for (unsigned c = threadIdx.y; c < SIDE && column + c < columns; c += blockDim.y)
        if (row + threadIdx.x < rows)
            out[(column + c) * rows + row + threadIdx.x] = tile[threadIdx.x][c];
}

template <class T> static void transpose(const T *in, T *out, size_t rows, size_t columns)
{
    const dim3 blocks((unsigned)((columns + SIDE - 1) / SIDE), (unsigned)((rows + SIDE - 1) / SIDE));
    transpose_kernel<<<blocks, dim3(SIDE, 8)>>>(in, out, rows, columns);
}

/* in and out may be the same. */
template <class T> static void scan_columns(const T *in, T *out, size_t rows, size_t columns)
{
    static void *turned;
    static size_t held;
    T *other = (T *)kept_memory(&turned, &held, rows * columns * sizeof(T));
    transpose(in, other, rows, columns);
    scan_rows((const T *)other, other, columns, rows);
    transpose((const T *)other, out, columns, rows);
}

void peer_scan_rows(const int *in, int *out, size_t rows, size_t columns)
{
    scan_rows(in, out, rows, columns);
}

void peer_scan_columns(const int *in, int *out, size_t rows, size_t columns)
{
    scan_columns(in, out, rows, columns);
}

struct widened {
    __host__ __device__ __forceinline__ uint64_t operator()(unsigned pixel) const
    {
        return pixel;
    }
};

void peer_table(const unsigned *image, uint64_t *table, size_t rows, size_t columns)
{
    scan_rows(thrust::make_transform_iterator(image, widened()), table, rows, columns);
    scan_columns((const uint64_t *)table, table, rows, columns);
}

/* ---- Thrust ------------------------------------------------------------------------------------------------------ */

void thrust_reduce(const int *in, int *out, size_t n)
{
    const int sum = thrust::reduce(thrust::device, in, in + n);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

void thrust_scan(const int *in, int *out, size_t n)
{
    thrust::inclusive_scan(thrust::device, in, in + n, out);
}

size_t thrust_compact(const int *in, int *out, size_t n)
{
    return (size_t)(thrust::copy_if(thrust::device, in, in + n, out, is_kept()) - out);
}

void thrust_sort(const unsigned *in, unsigned *out, size_t n)
{
    cudaMemcpyAsync(out, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    thrust::sort(thrust::device, out, out + n);
}
