/* Warps scan by shuffles; the warps' totals are scanned by the first warp, then each warp adds the sum before
 * it. Two barriers a tile, whatever its length. Any length: the same once more with tiles for warps.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"

#define FULL 0xFFFFFFFFu
constexpr unsigned WARP = 32, THREADS = 256;

__device__ int shuffle_up(int value, unsigned delta) { return __shfl_up_sync(FULL, value, delta); }
__device__ float shuffle_up(float value, unsigned delta) { return __shfl_up_sync(FULL, value, delta); }
__device__ affine_t shuffle_up(affine_t value, unsigned delta)
{
    return affine_t{__shfl_up_sync(FULL, value.a, delta), __shfl_up_sync(FULL, value.b, delta)};
}
__device__ interval_t shuffle_up(interval_t value, unsigned delta)
{
    return interval_t{__shfl_up_sync(FULL, value.first, delta), __shfl_up_sync(FULL, value.last, delta)};
}
__device__ fingerprint_t shuffle_up(fingerprint_t value, unsigned delta)
{
    return fingerprint_t{__shfl_up_sync(FULL, value.count, delta), __shfl_up_sync(FULL, value.mark, delta)};
}

/* Inclusive scan of the first `count` lanes. All 32 lanes call it. */
__device__ elem_t scan_warp(elem_t value, unsigned count)
{
    unsigned lane = threadIdx.x % WARP;
    for (unsigned stride = 1; stride < WARP; stride *= 2) {
        elem_t left = shuffle_up(value, stride);
        if (lane >= stride && lane < count)
            value = combine(left, value);
    }
    return value;
}

/* Inclusive scan of `count` values, one a thread, in a block of whole warps. */
__device__ elem_t scan_block(elem_t value, unsigned count)
{
    __shared__ elem_t totals[WARP];
    unsigned t = threadIdx.x, warp = t / WARP, lane = t % WARP, full = (count - 1) / WARP;
    unsigned mine = warp < full ? WARP : warp == full ? count - warp * WARP : 0;

    value = scan_warp(value, mine);
    if (full == 0)
        return value;
    if (warp < full && lane == WARP - 1)
        totals[warp] = value;
    __syncthreads();
    if (warp == 0) {
        elem_t total = IDENTITY;
        if (lane < full)
            total = totals[lane];
        total = scan_warp(total, full);
        if (lane < full)
            totals[lane] = total;
    }
    __syncthreads();
    if (warp > 0 && lane < mine)
        value = combine(totals[warp - 1], value);
    return value;
}

__global__ void tile_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned t   = threadIdx.x;
    elem_t value = IDENTITY;
    if (t < n)
        value = in[t];
    value = scan_block(value, n);
    if (t < n)
        out[t] = value;
}

static void scan_tile(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, ((unsigned)n + WARP - 1) / WARP * WARP>>>(in, out, (unsigned)n);
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n) { scan_tile(in, out, n); }
void scan_double_buffered(const elem_t *in, elem_t *out, size_t n) { scan_tile(in, out, n); }
void scan_in_place(const elem_t *in, elem_t *out, size_t n) { scan_tile(in, out, n); }

__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    size_t i     = (size_t)blockIdx.x * THREADS + threadIdx.x, rest = n - (size_t)blockIdx.x * THREADS;
    elem_t value = IDENTITY;
    if (i < n)
        value = in[i];
    value = scan_block(value, rest < THREADS ? (unsigned)rest : THREADS);
    if (i < n)
        out[i] = value;
    if (threadIdx.x == THREADS - 1 && i + 1 < n) /* another tile follows */
        sums[blockIdx.x] = value;
}

__global__ void add_kernel(const elem_t *sums, elem_t *out, size_t n)
{
    size_t i = (size_t)(blockIdx.x + 1) * THREADS + threadIdx.x;
    if (i < n)
        out[i] = combine(sums[blockIdx.x], out[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t full     = (n - 1) / THREADS;
    elem_t *scratch = nullptr;
    if (full > 0)
        cudaMalloc(&scratch, 2 * full * sizeof(elem_t));
    elem_t *sums = scratch, *scanned = scratch + full;
    tiles_kernel<<<(unsigned)(full + 1), THREADS>>>(in, out, sums, n);
    if (full > 0) {
        scan_global(sums, scanned, full);
        add_kernel<<<(unsigned)full, THREADS>>>(scanned, out, n);
        cudaFree(scratch);
    }
}

/* A value moves to the next lane; the first lane fetches its own from memory. */
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    size_t i     = (size_t)blockIdx.x * THREADS + threadIdx.x;
    elem_t value = IDENTITY;
    if (i < n)
        value = in[i];
    elem_t left = shuffle_up(value, 1);
    if (threadIdx.x % WARP == 0 && i < n)
        left = i > 0 ? in[i - 1] : elem_t(IDENTITY);
    if (i < n)
        out[i] = left;
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(in, out, n);
}

__global__ void own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        own_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(scanned, in, out, n);
}
