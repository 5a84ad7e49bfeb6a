/* One cooperative launch for any length: the grid's own barrier between the levels. Tiles of one block: banks kept apart
 * by an exclusive or instead of padding.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* A place's bank, moved by the row that it is in: no element is left unused. */
__device__ unsigned place(unsigned i)
{
    return i ^ ((i >> 5 ^ i >> 10) & 31);
}

__global__ void tile_kernel(const elem_t *in, elem_t *out, bool inclusive)
{
    __shared__ elem_t tree[TILE];
    unsigned t = threadIdx.x, half = blockDim.x, n = 2 * half;
    elem_t low = in[t], high = in[t + half];
    tree[place(t)]        = low;
    tree[place(t + half)] = high;
    for (unsigned stride = 1; stride < n; stride *= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < n)
            tree[place(right)] = combine(tree[place(right - stride)], tree[place(right)]);
    }
    if (inclusive) {
        for (unsigned stride = half / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned finished = (t + 1) * 2 * stride - 1;
            if (finished + stride < n)
                tree[place(finished + stride)] = combine(tree[place(finished)], tree[place(finished + stride)]);
        }
    } else {
        if (t == 0)
            tree[place(n - 1)] = IDENTITY;
        for (unsigned stride = half; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned right = (t + 1) * 2 * stride - 1;
            if (right < n) {
                elem_t left = tree[place(right - stride)], before = tree[place(right)];
                tree[place(right - stride)] = before;
                tree[place(right)]          = combine(before, left);
            }
        }
    }
    __syncthreads();
    out[t]        = tree[place(t)];
    out[t + half] = tree[place(t + half)];
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n / 2>>>(in, out, false);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n / 2>>>(in, out, false);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n / 2>>>(in, out, true);
}

/* A thread's section ends where its neighbour's begins, whatever n is. */
__global__ void even_sections_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    enum { MOST = 4 * TILE / 16 };
    __shared__ elem_t sums[MOST];
    unsigned t = threadIdx.x, threads = blockDim.x;
    unsigned begin = (unsigned)((unsigned long long)n * t / threads), end = n * (t + 1) / threads;
    elem_t sum = in[begin];
    for (unsigned i = begin + 1; i < end; i++)
        sum = combine(sum, in[i]);
    sums[t] = sum;
    for (unsigned stride = 1; stride < threads; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            sum = combine(sums[t - stride], sum);
        __syncthreads();
        sums[t] = sum;
    }
    __syncthreads();
    sum = t > 0 ? combine(sums[t - 1], in[begin]) : in[begin];
    out[begin] = sum;
    for (unsigned i = begin + 1; i < end; i++)
        out[i] = sum = combine(sum, in[i]);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    even_sections_kernel<<<1, (unsigned)(n + 15) / 16>>>(in, out, (unsigned)n);
}

__global__ void tree_kernel(const elem_t *in, elem_t *out, elem_t *tree, size_t n, size_t P)
{
    cg::grid_group grid = cg::this_grid();
    size_t me = grid.thread_rank(), all = grid.size();
    for (size_t i = me; i < P; i += all)
        tree[i] = i < n ? in[i] : IDENTITY;
    for (size_t stride = 1; stride < P; stride *= 2) {
        grid.sync();
        for (size_t right = (me + 1) * 2 * stride - 1; right < P; right += all * 2 * stride)
            tree[right] = combine(tree[right - stride], tree[right]);
    }
    grid.sync();
    if (me == 0)
        tree[P - 1] = IDENTITY;
    for (size_t stride = P / 2; stride > 0; stride /= 2) {
        grid.sync();
        for (size_t right = (me + 1) * 2 * stride - 1; right < P; right += all * 2 * stride) {
            elem_t left          = tree[right - stride];
            tree[right - stride] = tree[right];
            tree[right]          = combine(tree[right], left);
        }
    }
    grid.sync();
    for (size_t i = me; i < n; i += all)
        out[i] = tree[i];
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t P = 1;
    while (P < n)
        P <<= 1;
    int per_processor, processors;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, tree_kernel, 256, 0);
    size_t blocks = P / 512 + 1, most = (size_t)processors * per_processor;
    blocks        = blocks < most ? blocks : most;
    elem_t *tree;
    cudaMalloc(&tree, P * sizeof *tree);
    void *arguments[] = {&in, &out, &tree, &n, &P};
    cudaLaunchCooperativeKernel((void *)tree_kernel, dim3((unsigned)blocks), dim3(256), arguments, 0, 0);
    cudaFree(tree);
}
