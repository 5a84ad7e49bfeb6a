/* Tiles by warp shuffles, four elements a lane in registers; a whole warp looks back, 32 tiles at a time.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"

#define FULL 0xFFFFFFFFu
enum { WARP = 32, EACH = TILE < 4 * 32 ? 2 : 4, THREADS = TILE / EACH, WARPS = THREADS / WARP };

__device__ elem_t warp_scan(elem_t value)
{
    for (unsigned delta = 1; delta < WARP; delta *= 2) {
        elem_t left = __shfl_up_sync(FULL, value, delta);
        if (threadIdx.x % WARP >= delta)
            value = combine(left, value);
    }
    return value;
}

/* A tile of which each thread holds EACH neighbours; item[] becomes their inclusive scan in the tile. Returns
 * the sum before the thread; *any becomes true unless that is nothing. */
__device__ elem_t block_scan(elem_t (&item)[EACH], elem_t *totals, bool *any)
{
    unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    for (unsigned k = 1; k < EACH; k++)
        item[k] = combine(item[k - 1], item[k]);
    elem_t sum = warp_scan(item[EACH - 1]);
    if (lane == WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    if (t == 0)
        for (unsigned w = 1; w < WARPS; w++)
            totals[w] = combine(totals[w - 1], totals[w]);
    __syncthreads();
    elem_t before = __shfl_up_sync(FULL, sum, 1);
    if (lane == 0 && warp > 0)
        before = totals[warp - 1];
    else if (warp > 0)
        before = combine(totals[warp - 1], before);
    *any = t > 0;
    return before;
}

__device__ void load(const elem_t *in, size_t first, size_t n, elem_t (&item)[EACH])
{
    for (unsigned k = 0; k < EACH; k++)
        item[k] = first + k < n ? in[first + k] : elem_t(IDENTITY);
}

/* shift 1: exclusive. In place: the barriers of block_scan come between all loads and all stores. */
__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n, unsigned shift)
{
    __shared__ elem_t totals[WARPS];
    size_t end = (size_t)(blockIdx.x + 1) * TILE, first = (size_t)blockIdx.x * TILE + threadIdx.x * EACH;
    elem_t item[EACH];
    bool any;
    end = end < n ? end : n;
    load(in, first, end, item);
    elem_t before = block_scan(item, totals, &any);
    for (unsigned k = 0; k < EACH; k++) {
        elem_t value = any ? combine(before, item[k]) : item[k];
        if (first + k + shift < end)
            out[first + k + shift] = value;
        if (first + k + 1 == end && sums)
            sums[blockIdx.x] = value;
    }
    if (shift && threadIdx.x == 0)
        out[first] = IDENTITY;
}

/* Tiles 1 and up. */
__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)(blockIdx.x + 1) * TILE + threadIdx.x;
    if (i < n)
        out[i] = combine(sums[blockIdx.x], in[i]);
}

static unsigned tiles_of(size_t n) { return (unsigned)((n + TILE - 1) / TILE); }

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n > 0)
        tiles_kernel<<<tiles_of(n), THREADS>>>(in, out, sums, n, 0);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (in != out && n > 0)
        cudaMemcpy(out, in, (n < TILE ? n : TILE) * sizeof(elem_t), cudaMemcpyDeviceToDevice);
    if (n > TILE)
        add_kernel<<<tiles_of(n) - 1, TILE>>>(sums, in, out, n);
}

static void scan(const elem_t *in, elem_t *out, size_t n, unsigned shift)
{
    if (n == 0)
        return;
    elem_t *sums;
    cudaMalloc(&sums, tiles_of(n) * sizeof(elem_t));
    tiles_kernel<<<tiles_of(n), THREADS>>>(in, out, sums, n, shift);
    if (n > TILE) {
        scan(sums, sums, tiles_of(n), 0);
        add_block_sums(sums, out, out, n);
    }
    cudaFree(sums);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, 0); }
void scan_exclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, 1); }

/* One tile's record: what it has published, and the two values. */
struct tile {
    unsigned status;
    elem_t sum, prefix;
};

/* Lane l looks at the l-th tile to the left of b; lane 0 gets the sum of everything before b. */
__device__ elem_t look_back(struct tile *tiles, unsigned b)
{
    __shared__ elem_t window[WARP];
    unsigned lane = threadIdx.x;
    elem_t before = IDENTITY;
    bool some     = false;
    for (;;) {
        bool inside     = lane < b;
        unsigned status = 1;
        elem_t value    = IDENTITY;
        if (inside) {
            volatile unsigned *flag = &tiles[b - 1 - lane].status;
            while ((status = *flag) == 0)
                __nanosleep(20);
            __threadfence();
            value = status == 2 ? tiles[b - 1 - lane].prefix : tiles[b - 1 - lane].sum;
        }
        unsigned prefixes = __ballot_sync(FULL, inside && status == 2);
        unsigned last     = prefixes ? __ffs(prefixes) - 1 : WARP - 1; /* the farthest lane that counts */
        window[lane] = value;
        __syncwarp();
        if (lane == 0) /* the nearest first: far ones are on the left */
            for (unsigned l = 0; l <= last; l++) {
                before = some ? combine(window[l], before) : window[l];
                some   = true;
            }
        __syncwarp();
        if (prefixes)
            return before;
        b -= WARP;
    }
}

__global__ void single_pass_kernel(const elem_t *in, elem_t *out, size_t n, struct tile *tiles, unsigned *ticket)
{
    __shared__ elem_t totals[WARPS], before_tile;
    __shared__ unsigned number;
    if (threadIdx.x == 0)
        number = atomicAdd(ticket, 1u);
    __syncthreads();
    unsigned b = number;
    size_t end = (size_t)(b + 1) * TILE, first = (size_t)b * TILE + threadIdx.x * EACH;
    elem_t item[EACH];
    bool any;
    end = end < n ? end : n;
    load(in, first, end, item);
    elem_t before = block_scan(item, totals, &any);
    elem_t sum    = totals[WARPS - 1];
    if (threadIdx.x < WARP) {
        if (b > 0) {
            if (threadIdx.x == 0) {
                tiles[b].sum = sum;
                __threadfence();
                atomicExch(&tiles[b].status, 1u);
            }
            elem_t found = look_back(tiles, b);
            if (threadIdx.x == 0) {
                before_tile = found;
                sum         = combine(found, sum);
            }
        }
        if (threadIdx.x == 0) {
            tiles[b].prefix = sum;
            __threadfence();
            atomicExch(&tiles[b].status, 2u);
        }
    }
    __syncthreads();
    if (b > 0)
        before = any ? combine(before_tile, before) : before_tile;
    for (unsigned k = 0; k < EACH; k++)
        if (first + k < end)
            out[first + k] = any || b > 0 ? combine(before, item[k]) : item[k];
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    struct tile *tiles;
    unsigned *ticket;
    size_t bytes = tiles_of(n) * sizeof(struct tile);
    cudaMalloc(&tiles, bytes);
    cudaMalloc(&ticket, sizeof *ticket);
    cudaMemsetAsync(tiles, 0, bytes, 0);
    cudaMemsetAsync(ticket, 0, sizeof *ticket, 0);
    single_pass_kernel<<<tiles_of(n), THREADS>>>(in, out, n, tiles, ticket);
    cudaFree(tiles);
    cudaFree(ticket);
}
