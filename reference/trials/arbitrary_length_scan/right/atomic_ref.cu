/* Flags by cuda::atomic_ref with acquire and release; cooperative groups; persistent blocks that draw tickets until
 * there are none; levels of sums in one allocation, in a loop instead of a recursion.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"
#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

enum { THREADS = TILE / 2 };

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag_t;

/* Exclusive tree of TILE elements; returns in `total` the sum of all, to every thread. Places past count hold
 * IDENTITY and are left out where whole pairs are past it. */
__device__ void tile_tree(cg::thread_block block, elem_t *tree, unsigned count, elem_t *total)
{
    unsigned t = block.thread_rank();
    for (unsigned d = 1; d < TILE; d *= 2) {
        block.sync();
        unsigned right = (t + 1) * 2 * d - 1;
        if (right < TILE && right - d - (d - 1) < count)
            tree[right] = combine(tree[right - d], tree[right]);
    }
    block.sync();
    *total = tree[TILE - 1];
    block.sync();
    if (t == 0)
        tree[TILE - 1] = IDENTITY;
    for (unsigned d = TILE / 2; d > 0; d /= 2) {
        block.sync();
        unsigned right = (t + 1) * 2 * d - 1;
        if (right < TILE) {
            elem_t left    = tree[right - d];
            tree[right - d] = tree[right];
            if (right - d + 1 < count)
                tree[right] = combine(tree[right], left);
        }
    }
    block.sync();
}

__device__ void load(elem_t *tree, const elem_t *in, unsigned count)
{
    for (unsigned i = threadIdx.x; i < TILE; i += THREADS)
        tree[i] = i < count ? in[i] : elem_t(IDENTITY);
}

__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n, bool exclusive)
{
    __shared__ elem_t tree[TILE];
    cg::thread_block block = cg::this_thread_block();
    size_t first           = (size_t)block.group_index().x * TILE;
    unsigned count         = n - first < TILE ? unsigned(n - first) : unsigned(TILE);
    elem_t total;
    load(tree, in + first, count);
    tile_tree(block, tree, count, &total);
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        out[first + i] = exclusive ? tree[i] : combine(tree[i], in[first + i]);
    if (sums && block.thread_rank() == 1)
        sums[block.group_index().x] = total;
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    if (i < n && blockIdx.x)
        out[i] = combine(sums[blockIdx.x - 1], in[i]);
    else if (i < n && in != out)
        out[i] = in[i];
}

static unsigned tiles_of(size_t n) { return (unsigned)((n + TILE - 1) / TILE); }

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n != 0)
        tiles_kernel<<<dim3(tiles_of(n)), dim3(THREADS)>>>(in, out, sums, n, false);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (n != 0)
        add_kernel<<<tiles_of(n), TILE>>>(sums, in, out, n);
}

static void scan(const elem_t *in, elem_t *out, size_t n, bool exclusive)
{
    if (n == 0)
        return;
    size_t counts[8], all = 0;
    int levels = 0;
    for (size_t m = n; m > 1 || levels == 0; m = tiles_of(m)) {
        counts[levels++] = m;
        all += tiles_of(m);
    }
    elem_t *memory, *level[8];
    cudaMalloc(&memory, all * sizeof(elem_t));
    level[0] = out;
    for (int l = 0; l < levels; l++) {
        elem_t *sums = l == 0 ? memory : level[l] + counts[l];
        tiles_kernel<<<tiles_of(counts[l]), THREADS>>>(l == 0 ? in : level[l], level[l], sums, counts[l], l == 0 && exclusive);
        if (l + 1 < levels)
            level[l + 1] = sums;
    }
    for (int l = levels - 2; l >= 0; l--)
        add_kernel<<<tiles_of(counts[l]), TILE>>>(level[l + 1], level[l], level[l], counts[l]);
    cudaFree(memory);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, false); }
void scan_exclusive(const elem_t *in, elem_t *out, size_t n) { scan(in, out, n, true); }

__global__ void persistent_kernel(const elem_t *in, elem_t *out, size_t n, unsigned tiles, unsigned *flags, elem_t *values)
{
    __shared__ elem_t tree[TILE], before_tile;
    __shared__ unsigned number;
    cg::thread_block block = cg::this_thread_block();
    for (;;) {
        if (block.thread_rank() == 0)
            number = flag_t(flags[tiles]).fetch_add(1, cuda::memory_order_relaxed);
        block.sync();
        unsigned b = number;
        if (b >= tiles)
            return;
        size_t first   = (size_t)b * TILE;
        unsigned count = n - first < TILE ? unsigned(n - first) : unsigned(TILE);
        elem_t total;
        load(tree, in + first, count);
        tile_tree(block, tree, count, &total);
        if (block.thread_rank() == 0) {
            elem_t before = IDENTITY;
            if (b > 0) {
                values[2 * (size_t)b] = total;
                flag_t(flags[b]).store(1, cuda::memory_order_release);
                for (unsigned p = b; p-- > 0;) {
                    unsigned seen;
                    while ((seen = flag_t(flags[p]).load(cuda::memory_order_acquire)) == 0)
                        ;
                    before = combine(values[2 * (size_t)p + seen - 1], before);
                    if (seen == 2)
                        break;
                }
            }
            values[2 * (size_t)b + 1] = combine(before, total);
            flag_t(flags[b]).store(2, cuda::memory_order_release);
            before_tile = before;
        }
        block.sync();
        for (unsigned i = threadIdx.x; i < count; i += THREADS) {
            elem_t own     = in[first + i];
            out[first + i] = combine(b > 0 ? combine(before_tile, tree[i]) : tree[i], own);
        }
        block.sync();
    }
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    unsigned tiles = tiles_of(n), *flags;
    elem_t *values;
    cudaMalloc(&flags, (tiles + 1ull) * sizeof *flags);
    cudaMemset(flags, 0, (tiles + 1ull) * sizeof *flags);
    cudaMalloc(&values, 2ull * tiles * sizeof *values);
    persistent_kernel<<<tiles < 8 ? tiles : 8, THREADS>>>(in, out, n, tiles, flags, values);
    cudaFree(values);
    cudaFree(flags);
}
