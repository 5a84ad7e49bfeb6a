/* Cooperative groups: barriers and ranks of the block, and for any length one cooperative launch with a barrier of
 * the whole grid between two strides.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Each thread scans backwards from its place, in a register. */
__global__ void backwards_kernel(const elem_t *in, elem_t *out)
{
    unsigned i = cg::this_thread_block().thread_rank();
    elem_t sum = in[i];
    while (i-- > 0)
        sum = combine(in[i], sum);
    out[cg::this_thread_block().thread_rank()] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n) { backwards_kernel<<<1, (unsigned)n>>>(in, out); }

/* The buffers are two arrays, and pointers to them swap. */
__global__ void two_buffers_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t even[TILE], odd[TILE];
    cg::thread_block block = cg::this_thread_block();
    unsigned i             = block.thread_rank();
    elem_t *from = even, *to = odd, mine = in[i];

    from[i] = mine;
    for (unsigned reach = 1; reach < block.size(); reach += reach) {
        block.sync();
        if (i >= reach)
            mine = combine(from[i - reach], mine);
        to[i]      = mine;
        elem_t *was = from;
        from       = to;
        to         = was;
    }
    out[i] = mine;
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n) { two_buffers_kernel<<<1, (unsigned)n>>>(in, out); }

/* A thread leaves the loop's work, not its barriers, as soon as its place is finished. */
__global__ void one_buffer_kernel(const elem_t *in, elem_t *out)
{
    __shared__ elem_t tile[TILE];
    cg::thread_block block = cg::this_thread_block();
    unsigned i = block.thread_rank(), n = block.size();

    tile[i] = in[i];
    block.sync();
    for (unsigned reach = 1; reach < n; reach <<= 1) {
        elem_t left;
        if (i >= reach)
            left = tile[i - reach];
        block.sync();
        if (i >= reach)
            tile[i] = combine(left, tile[i]);
        if (reach * 2 < n)
            block.sync();
    }
    out[i] = tile[i];
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n) { one_buffer_kernel<<<1, (unsigned)n>>>(in, out); }

__global__ void grid_kernel(const elem_t *in, elem_t *out, elem_t *scratch, size_t n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    size_t first = grid.thread_rank(), all = grid.size();
    const elem_t *from = in;
    for (int step = 0; step < steps; step++) {
        size_t stride = (size_t)1 << step;
        elem_t *to    = (steps - step) % 2 ? out : scratch;
        for (size_t i = first; i < n; i += all)
            to[i] = i < stride ? from[i] : combine(from[i - stride], from[i]);
        from = to;
        grid.sync();
    }
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    const unsigned threads = 256;
    if (n == 0)
        return;
    int steps = 1, device, processors, each;
    while (((size_t)1 << steps) < n)
        steps++;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, grid_kernel, threads, 0);
    size_t wanted = (n + threads - 1) / threads, most = (size_t)processors * each;
    unsigned blocks = (unsigned)(wanted < most ? wanted : most);

    elem_t *scratch;
    cudaMalloc(&scratch, n * sizeof(elem_t));
    void *arguments[] = {&in, &out, &scratch, &n, &steps};
    cudaLaunchCooperativeKernel((const void *)grid_kernel, dim3(blocks), dim3(threads), arguments, 0, nullptr);
    cudaFree(scratch);
}

__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    size_t i = cg::this_grid().thread_rank();
    if (i + 1 < n)
        out[i + 1] = in[i];
    if (i == 0)
        out[0] = IDENTITY;
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<(unsigned)((n + 127) / 128), 128>>>(in, out, n);
}

__global__ void own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size())
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        own_kernel<<<1024, 128>>>(scanned, in, out, n);
}
