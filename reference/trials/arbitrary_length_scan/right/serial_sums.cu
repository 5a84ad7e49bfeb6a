/* One thread for eight neighbours, straight from global memory, and one block for all sums of any number; the
 * single pass keeps its look-back in a loop over windows that all threads of the block check together.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"

enum { K = 8, T = TILE / K };

/* Reads and writes its own elements only; returns the thread's sum. */
__device__ elem_t scan_own(const elem_t *in, elem_t (&item)[K], unsigned count)
{
    elem_t sum = IDENTITY;
    for (unsigned k = 0; k < count; k++)
        item[k] = sum = k ? combine(sum, in[k]) : in[k];
    return sum;
}

/* The sum before each thread of the block; double buffered. */
__device__ elem_t before_own(elem_t sum, elem_t (*buffer)[T], elem_t *total)
{
    unsigned t = threadIdx.x, from = 0;
    buffer[0][t] = sum;
    for (unsigned stride = 1; stride < T; stride *= 2, from ^= 1) {
        __syncthreads();
        buffer[from ^ 1][t] = t >= stride ? combine(buffer[from][t - stride], buffer[from][t]) : buffer[from][t];
    }
    __syncthreads();
    *total = buffer[from][T - 1];
    return t ? buffer[from][t - 1] : elem_t(IDENTITY);
}

__device__ unsigned own_count(size_t first, size_t n) { return first < n ? (unsigned)min(n - first, (size_t)K) : 0u; }

__device__ void store(elem_t *out, const elem_t *before, const elem_t (&item)[K], unsigned count, bool exclusive)
{
    if (exclusive && count)
        out[0] = before ? *before : elem_t(IDENTITY);
    for (unsigned k = 0; k + exclusive < count; k++)
        out[k + exclusive] = before ? combine(*before, item[k]) : item[k];
}

__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n, bool exclusive)
{
    __shared__ elem_t buffer[2][T];
    size_t first   = ((size_t)blockIdx.x * T + threadIdx.x) * K;
    unsigned count = own_count(first, n);
    elem_t item[K], total, before = before_own(scan_own(in + first, item, count), buffer, &total);
    store(out + first, threadIdx.x ? &before : nullptr, item, count, exclusive);
    if (threadIdx.x == T / 2 && sums)
        sums[blockIdx.x] = total;
}

/* One thread, in place: the sums of up to a million elements are 2048. */
__global__ void serial_kernel(elem_t *sums, size_t count)
{
    for (size_t b = 1; b < count; b++)
        sums[b] = combine(sums[b - 1], sums[b]);
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    if (i < n)
        out[i] = blockIdx.x ? combine(sums[blockIdx.x - 1], in[i]) : in[i];
}

static unsigned tiles_of(size_t n) { return (unsigned)((n + TILE - 1) / TILE); }

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n)
        tiles_kernel<<<tiles_of(n), T>>>(in, out, sums, n, false);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (n)
        add_kernel<<<tiles_of(n), TILE>>>(sums, in, out, n);
}

static void scan(const elem_t *in, elem_t *out, size_t n, bool exclusive)
{
    elem_t *sums;
    if (!n)
        return;
    cudaMallocAsync((void **)&sums, tiles_of(n) * sizeof *sums, 0);
    tiles_kernel<<<tiles_of(n), T>>>(in, out, sums, n, exclusive);
    serial_kernel<<<1, 1>>>(sums, tiles_of(n));
    add_block_sums(sums, out, out, n);
    cudaFreeAsync(sums, 0);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, false); }
void scan_exclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, true); }

__global__ void single_pass_kernel(const elem_t *in, elem_t *out, elem_t *sums, elem_t *prefixes, int *status, size_t n)
{
    __shared__ elem_t buffer[2][T], before_tile;
    __shared__ int seen, tile;
    if (!threadIdx.x)
        tile = atomicAdd(&status[-1], 1);
    __syncthreads();
    int b          = tile;
    size_t first   = ((size_t)b * T + threadIdx.x) * K;
    unsigned count = own_count(first, n);
    elem_t item[K], total, before = before_own(scan_own(in + first, item, count), buffer, &total);
    if (!threadIdx.x && b) {
        sums[b] = total;
        __threadfence();
        atomicMax(&status[b], 1);
    }
    bool found = false;
    for (int p = b - 1; b && !found; p--) { /* all threads go along, thread 0 looks */
        if (!threadIdx.x) {
            do
                seen = atomicAdd(&status[p], 0);
            while (!seen);
            __threadfence();
            elem_t value = seen == 2 ? prefixes[p] : sums[p];
            before_tile  = p == b - 1 ? value : combine(value, before_tile);
        }
        __syncthreads();
        found = seen == 2;
        __syncthreads();
    }
    if (!threadIdx.x) {
        prefixes[b] = b ? combine(before_tile, total) : total;
        __threadfence();
        atomicMax(&status[b], 2);
    }
    if (b)
        before = threadIdx.x ? combine(before_tile, before) : before_tile;
    store(out + first, b || threadIdx.x ? &before : nullptr, item, count, false);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    int *status;
    elem_t *values;
    size_t tiles = tiles_of(n);
    if (!n)
        return;
    cudaMalloc(&status, (tiles + 1) * sizeof *status);
    cudaMemset(status, 0, (tiles + 1) * sizeof *status);
    cudaMalloc(&values, 2 * tiles * sizeof *values);
    single_pass_kernel<<<(unsigned)tiles, T>>>(in, out, values, values + tiles, status + 1, n);
    cudaFree(values);
    cudaFree(status);
}
