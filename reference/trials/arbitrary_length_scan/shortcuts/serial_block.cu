/* One block of 1024 threads does everything, tile after tile: no second block ever works.
 *
 * scan_tiles, with 1024 threads for tiles of 64, may take too long to be reported; it claims the other parts.
 *
 * parts: scan_inclusive scan_exclusive scan_single_pass add_block_sums
 * says: one block does */
#include "arbitrary_length_scan.h"

enum { THREADS = 1024 };
enum form { INCLUSIVE, EXCLUSIVE };

/* Inclusive scan of one value a thread; buffer is shared memory of THREADS elements. */
__device__ elem_t scan_block(elem_t value, elem_t *buffer)
{
    unsigned t = threadIdx.x;
    __syncthreads();
    buffer[t] = value;
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            value = combine(buffer[t - stride], value);
        __syncthreads();
        buffer[t] = value;
    }
    __syncthreads();
    return value;
}

__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n, form form)
{
    __shared__ elem_t buffer[THREADS];
    unsigned t    = threadIdx.x;
    elem_t before = IDENTITY;
    for (size_t first = 0; first < n; first += THREADS) {
        size_t i   = first + t;
        elem_t own = scan_block(i < n ? in[i] : IDENTITY, buffer);
        if (form == EXCLUSIVE)
            own = t > 0 ? buffer[t - 1] : IDENTITY;
        if (i < n)
            out[i] = combine(before, own);
        before = combine(before, buffer[THREADS - 1]);
    }
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, THREADS>>>(in, out, n, INCLUSIVE);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, THREADS>>>(in, out, n, EXCLUSIVE);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, THREADS>>>(in, out, n, INCLUSIVE);
}

__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ elem_t tile[TILE];
    unsigned t = threadIdx.x;
    for (size_t first = 0; first < n; first += TILE) {
        unsigned count = n - first < TILE ? (unsigned)(n - first) : (unsigned)TILE;
        elem_t value   = IDENTITY;
        if (t < count)
            tile[t] = value = in[first + t];
        for (unsigned stride = 1; stride < count; stride *= 2) {
            __syncthreads();
            if (t >= stride && t < count)
                value = combine(tile[t - stride], value);
            __syncthreads();
            if (t < count)
                tile[t] = value;
        }
        if (t < count)
            out[first + t] = value;
        if (t == count - 1)
            sums[first / TILE] = value;
        __syncthreads();
    }
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    tiles_kernel<<<1, THREADS>>>(in, out, sums, n);
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += THREADS)
        out[i] = i < TILE ? in[i] : combine(sums[i / TILE - 1], in[i]);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    add_kernel<<<1, THREADS>>>(sums, in, out, n);
}
