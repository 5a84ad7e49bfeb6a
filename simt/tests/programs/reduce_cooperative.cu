/* Cooperative groups: block, tiles of several widths, cg::reduce, a group passed to a function template,
 * and one launch whose blocks meet at a grid barrier. */
#include "program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <typename Group> __device__ int sum_of_group(const Group &group, int value)
{
    for (unsigned offset = group.size() / 2; offset > 0; offset /= 2)
        value += group.shfl_down(value, offset);
    return value;                                               /* right in rank 0 */
}

__global__ void sum_tiles(const int *in, int *out, unsigned n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto quarter = cg::tiled_partition<8>(block);
    __shared__ int of_warp[32];

    unsigned i = block.group_index().x * block.size() + block.thread_rank();
    int mine = i < n ? in[i] : 0;

    int of_eight = sum_of_group(quarter, mine);
    int eights = quarter.thread_rank() == 0 ? of_eight : 0;
    int sum = sum_of_group(warp, eights);
    if (warp.thread_rank() == 0)
        of_warp[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        int total = 0;
        for (unsigned w = 0; w < warp.meta_group_size(); w++)
            total += of_warp[w];
        out[block.group_index().x] = total;
    }
}

/* Every thread of a tile gets the tile's sum, maximum, minimum and xor. */
__global__ void reduce_tiles(const int *in, int4 *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int mine = in[block.thread_rank()];

    int4 all;
    all.x = cg::reduce(tile, mine, cg::plus<int>());
    all.y = cg::reduce(tile, mine, cg::greater<int>());
    all.z = cg::reduce(tile, mine, cg::less<int>());
    all.w = cg::reduce(tile, mine, cg::bit_xor<int>());
    out[block.thread_rank()] = all;
}

/* Sums n values and then divides each block's share by the total of all blocks: two phases in one launch. */
__global__ void shares_of_total(const int *in, unsigned n, unsigned long long *block_sums, float *shares)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ unsigned long long sum;

    if (block.thread_rank() == 0)
        sum = 0;
    cg::sync(block);
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size())
        atomicAdd(&sum, (unsigned long long)(in[i] & 0xffff));
    block.sync();
    if (block.thread_rank() == 0)
        block_sums[blockIdx.x] = sum;

    grid.sync();
    unsigned long long total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        total += block_sums[b];
    if (threadIdx.x == 0)
        shares[blockIdx.x] = (float)block_sums[blockIdx.x] / (float)total;

    grid.sync();
    if (grid.thread_rank() == 0)
        block_sums[0] = total;
}

int main()
{
    const unsigned n = 5003, block = 256, grid = blocks_for(n, block);
    std::vector<int> values = random_ints(n, 1000000, 5);
    int *in = to_device(values), *sums = device_alloc<int>(grid);

    sum_tiles<<<grid, block>>>(in, sums, n);
    CUDA_CHECK(cudaGetLastError());
    std::vector<int> want(grid, 0);
    for (unsigned i = 0; i < n; i++)
        want[i / block] += values[i];
    expect_equal("sums of blocks", from_device(sums, grid), want);

    int4 *all = device_alloc<int4>(64);
    reduce_tiles<<<1, 64>>>(in, all);
    CUDA_CHECK(cudaGetLastError());
    std::vector<int> got_all, want_all;
    std::vector<int4> alls = from_device(all, 64);
    for (int i = 0; i < 64; i++) {
        int first = i / 16 * 16, sum = 0, largest = values[first], least = values[first], bits = 0;
        for (int k = first; k < first + 16; k++) {
            sum += values[k];
            largest = values[k] > largest ? values[k] : largest;
            least = values[k] < least ? values[k] : least;
            bits ^= values[k];
        }
        int w[4] = {sum, largest, least, bits}, g[4] = {alls[i].x, alls[i].y, alls[i].z, alls[i].w};
        want_all.insert(want_all.end(), w, w + 4);
        got_all.insert(got_all.end(), g, g + 4);
    }
    expect_equal("cg::reduce of tiles of 16", got_all, want_all);

    const unsigned few = 7;
    unsigned long long *block_sums = device_alloc<unsigned long long>(few);
    float *shares = device_alloc<float>(few);
    unsigned count = n;
    void *arguments[] = {&in, &count, &block_sums, &shares};
    CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)shares_of_total, dim3(few), dim3(96), arguments, 0, 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    unsigned long long total = 0, by_block[few] = {0};
    for (unsigned i = 0; i < n; i++) {
        by_block[i % (few * 96) / 96] += (unsigned)values[i] & 0xffff;
        total += (unsigned)values[i] & 0xffff;
    }
    std::vector<float> share_want(few);
    for (unsigned b = 0; b < few; b++)
        share_want[b] = (float)by_block[b] / (float)total;
    expect_equal("shares", from_device(shares, few), share_want);
    expect_number("total", (long long)from_device(block_sums, 1)[0], (long long)total);

    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaFree(all));
    CUDA_CHECK(cudaFree(block_sums));
    CUDA_CHECK(cudaFree(shares));
    return program_end();
}
