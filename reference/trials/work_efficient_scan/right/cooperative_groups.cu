/* Cooperative groups for barriers and ranks; one thread an element; the whole global tree in one launch.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* One thread an element; the thread at a pair's right end works. */
__global__ void exclusive_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t tree[TILE];
    cg::thread_block block = cg::this_thread_block();
    unsigned n = block.size(), i = block.thread_rank();

    tree[i] = in[i];
    block.sync();
    for (unsigned d = 2; d <= n; d <<= 1) {
        if ((i & (d - 1)) == d - 1)
            tree[i] = combine(tree[i - d / 2], tree[i]);
        block.sync();
    }
    if (i == n - 1)
        tree[i] = IDENTITY;
    block.sync();
    for (unsigned d = n; d >= 2; d >>= 1) {
        if ((i & (d - 1)) == d - 1) {
            elem_t left     = tree[i - d / 2];
            tree[i - d / 2] = tree[i];
            tree[i]         = combine(tree[i], left);
        }
        block.sync();
    }
    out[i] = tree[i];
}

__global__ void inclusive_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t tree[TILE];
    cg::thread_block block = cg::this_thread_block();
    unsigned n = block.size(), i = block.thread_rank();

    tree[i] = in[i];
    block.sync();
    for (unsigned d = 1; d < n; d <<= 1) {
        if (((i + 1) & (2 * d - 1)) == 0)
            tree[i] = combine(tree[i - d], tree[i]);
        block.sync();
    }
    for (unsigned d = n >> 2; d > 0; d >>= 1) {
        if (i >= 2 * d && ((i + 1) & (2 * d - 1)) == d)
            tree[i] = combine(tree[i - d], tree[i]);
        block.sync();
    }
    out[i] = tree[i];
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n) { exclusive_kernel<<<1, (unsigned)n>>>(in, out); }
void scan_brent_kung(const elem_t *in, elem_t *out, size_t n) { inclusive_kernel<<<1, (unsigned)n>>>(in, out); }
void scan_conflict_free(const elem_t *in, elem_t *out, size_t n) { exclusive_kernel<<<1, (unsigned)n>>>(in, out); }

/* One warp, 64 elements a lane; the lanes' sums by a tiled group. */
__global__ void coarsened_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t sums[32];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned lane = warp.thread_rank(), each = (n + 31) / 32;
    unsigned begin = lane * each < n ? lane * each : n, end = begin + each < n ? begin + each : n;

    elem_t sum = IDENTITY;
    for (unsigned i = begin; i < end; i++) {
        sum    = i == begin ? in[i] : combine(sum, in[i]);
        out[i] = sum;
    }
    sums[lane] = sum;
    warp.sync();
    elem_t before = IDENTITY;
    if (lane > 0)
        before = sums[0];
    for (unsigned l = 1; l < lane; l++)
        before = combine(before, sums[l]);
    for (unsigned i = begin; lane > 0 && i < end; i++)
        out[i] = combine(before, out[i]);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n) { coarsened_kernel<<<1, 32>>>(in, out, (unsigned)n); }

/* All levels in one cooperative launch, whose threads stride over the pairs. */
__global__ void tree_kernel(const elem_t *in, elem_t *tree, elem_t *out, size_t n, size_t P)
{
    cg::grid_group grid = cg::this_grid();
    size_t first = grid.thread_rank(), step = grid.size();

    for (size_t i = first; i < P; i += step)
        tree[i] = i < n ? in[i] : IDENTITY;
    for (size_t d = 1; d < P; d *= 2) {
        cg::sync(grid);
        for (size_t right = (first + 1) * 2 * d - 1; right < P; right += step * 2 * d)
            tree[right] = combine(tree[right - d], tree[right]);
    }
    cg::sync(grid);
    if (first == 0)
        tree[P - 1] = IDENTITY;
    for (size_t d = P / 2; d > 0; d /= 2) {
        cg::sync(grid);
        for (size_t right = (first + 1) * 2 * d - 1; right < P; right += step * 2 * d) {
            elem_t left     = tree[right - d];
            tree[right - d] = tree[right];
            tree[right]     = combine(tree[right], left);
        }
    }
    cg::sync(grid);
    for (size_t i = first; i < n; i += step)
        out[i] = tree[i];
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    size_t P = 1;
    while (P < n)
        P <<= 1;
    elem_t *tree;
    cudaMalloc((void **)&tree, P * sizeof(elem_t));
    void *arguments[] = {&in, &tree, &out, &n, &P};
    cudaLaunchCooperativeKernel((const void *)tree_kernel, dim3(P < 1024 ? 1 : 8), dim3(128), arguments, 0, nullptr);
    cudaFree(tree);
}
