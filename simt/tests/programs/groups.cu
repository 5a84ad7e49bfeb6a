/* Cooperative groups: the block, tiles of every size and tiles of tiles, lanes that took a branch, partitions, and the
 * scans and reductions of the library. The printed values are those of a GPU. */
#include "program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

enum { THREADS = 96, FIELDS = 16 };

__global__ void block_members(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    int *mine = out + ((blockIdx.y * gridDim.x + blockIdx.x) * block.size() + block.thread_rank()) * FIELDS;

    mine[0] = (int)block.thread_rank();
    mine[1] = (int)block.size();
    mine[2] = (int)block.num_threads();
    mine[3] = (int)(block.group_index().x * 10 + block.group_index().y);
    mine[4] = (int)(block.thread_index().x * 100 + block.thread_index().y * 10 + block.thread_index().z);
    mine[5] = (int)block.dim_threads().x;
    mine[6] = (int)block.group_dim().y;
    block.sync();
    cg::sync(block);
    for (int i = 7; i < FIELDS; i++)
        mine[i] = 0;
}

template <unsigned SIZE> __global__ void tile_members(int *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<SIZE>(block);
    int v = (int)(threadIdx.x * 3 + 1);
    int *mine = out + threadIdx.x * FIELDS;

    mine[0] = (int)tile.thread_rank();
    mine[1] = (int)tile.size();
    mine[2] = (int)tile.meta_group_rank();
    mine[3] = (int)tile.meta_group_size();
    mine[4] = tile.shfl(v, SIZE - 1);
    mine[5] = tile.shfl_up(v, 1);
    mine[6] = tile.shfl_down(v, 2);
    mine[7] = tile.shfl_xor(v, SIZE / 2);
    mine[8] = (int)tile.ballot(v & 2);
    mine[9] = tile.any(v == 4) != 0;
    mine[10] = tile.all(v < 100) != 0;
    mine[11] = (int)tile.match_any(v / 16);
    mine[12] = cg::reduce(tile, v, cg::plus<int>());
    mine[13] = cg::reduce(tile, v ^ 5, cg::greater<int>());
    mine[14] = cg::inclusive_scan(tile, v, cg::plus<int>());
    mine[15] = cg::exclusive_scan(tile, v);
    tile.sync();
}

__global__ void tiles_of_tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto quarter = cg::tiled_partition<8>(warp);
    auto pair = cg::tiled_partition<2>(quarter);
    int *mine = out + threadIdx.x * FIELDS;

    mine[0] = (int)warp.meta_group_rank();
    mine[1] = (int)warp.meta_group_size();
    mine[2] = (int)quarter.meta_group_rank();
    mine[3] = (int)quarter.meta_group_size();
    mine[4] = (int)pair.meta_group_rank();
    mine[5] = (int)pair.meta_group_size();
    mine[6] = pair.shfl_xor((int)threadIdx.x, 1);
    mine[7] = quarter.shfl((int)threadIdx.x, 3);
    mine[8] = cg::reduce(quarter, (int)threadIdx.x, cg::less<int>());
    mine[9] = cg::reduce(warp, (int)threadIdx.x, cg::bit_xor<int>());
    cg::thread_group any = cg::tiled_partition(block, 16);
    mine[10] = (int)any.thread_rank();
    mine[11] = (int)any.size();
    any.sync();
    for (int i = 12; i < FIELDS; i++)
        mine[i] = 0;
}

/* More than 8 bytes are exchanged. */
__global__ void wide_values(double *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float4 v = make_float4(threadIdx.x, threadIdx.x + 0.25f, -1.0f * threadIdx.x, 0.5f);
    float4 got = warp.shfl_down(v, 3);
    double2 d = make_double2(threadIdx.x, 1.0 / (1 + threadIdx.x));
    double2 other = warp.shfl_xor(d, 17);
    double *mine = out + threadIdx.x * FIELDS;

    mine[0] = got.x;
    mine[1] = got.y;
    mine[2] = got.z;
    mine[3] = got.w;
    mine[4] = other.x;
    mine[5] = other.y;
    short3 s = make_short3((short)threadIdx.x, 7, -3);
    s = warp.shfl(s, 9);
    mine[6] = s.x * 100.0 + s.y * 10.0 + s.z;
    for (int i = 7; i < FIELDS; i++)
        mine[i] = 0;
}

__global__ void branches(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int *mine = out + threadIdx.x * FIELDS;

    for (int i = 0; i < FIELDS; i++)
        mine[i] = -1;
    if (threadIdx.x % 3 == 1) {
        cg::coalesced_group group = cg::coalesced_threads();
        mine[0] = (int)group.size();
        mine[1] = (int)group.thread_rank();
        mine[2] = group.shfl((int)threadIdx.x, 2);
        mine[3] = group.shfl_up((int)threadIdx.x, 1);
        mine[4] = group.shfl_down((int)threadIdx.x, 3);
        mine[5] = (int)group.ballot(threadIdx.x & 1);
        mine[6] = group.any(threadIdx.x == 4);
        mine[7] = (int)group.match_any((int)threadIdx.x / 20);
        mine[8] = cg::reduce(group, (int)threadIdx.x, cg::plus<int>());
        mine[9] = cg::inclusive_scan(group, 1);
        group.sync();
    }
    warp.sync();
    cg::coalesced_group label = cg::labeled_partition(warp, (int)threadIdx.x % 5);
    mine[10] = (int)label.size();
    mine[11] = (int)label.thread_rank();
    mine[12] = cg::reduce(label, (int)threadIdx.x, cg::plus<int>());
    cg::coalesced_group half = cg::binary_partition(warp, threadIdx.x >= 7);
    mine[13] = (int)half.size();
    mine[14] = (int)half.thread_rank();
}

/* One atomic operation for all lanes that took the branch. */
__global__ void aggregated(const int *in, int n, int *kept, int *places)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n || in[i] <= 0)
        return;
    cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0)
        first = atomicAdd(kept, (int)group.size());
    places[i] = group.shfl(first, 0) + (int)group.thread_rank();
}

/* Affine maps do not commute, and the library uses a thread's own value as the left operand. */
struct affine {
    int a, b;
};
struct compose {
    __device__ affine operator()(affine l, affine r) const
    {
        return affine{l.a * r.a, l.b * r.a + r.b};
    }
};

__global__ void not_commutative(int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    affine x = {(int)threadIdx.x % 3 + 1, (int)threadIdx.x % 7};
    affine scanned = cg::inclusive_scan(tile, x, compose());
    affine before = cg::exclusive_scan(tile, x, compose());
    affine sum = cg::reduce(tile, x, compose());
    int *mine = out + threadIdx.x * FIELDS;

    for (int i = 0; i < FIELDS; i++)
        mine[i] = 0;
    mine[0] = scanned.a;
    mine[1] = scanned.b;
    mine[2] = before.a;
    mine[3] = before.b;
    mine[4] = sum.a;
    mine[5] = sum.b;
    if (threadIdx.x % 32 < 11) {
        auto group = cg::coalesced_threads();
        sum = cg::reduce(group, x, compose());
        mine[6] = sum.a;
        mine[7] = sum.b;
    }
}

/* Tiles of several warps. */
template <unsigned SIZE> __global__ void wide_tiles(int *sums, int *others)
{
    __shared__ int values[256];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<SIZE>(block);
    const int rank = (int)block.thread_rank();
    values[rank] = rank;
    tile.sync(); /* so that a thread reads what one of another warp wrote */
    others[rank] = values[rank / SIZE * SIZE + (rank + 33) % SIZE] + tile.shfl(rank, SIZE - 2) +
                   1000 * tile.any(rank == 70);
    const int sum = cg::reduce(tile, rank, cg::plus<int>());
    if (tile.thread_rank() == 0)
        sums[tile.meta_group_rank()] = sum;
}
template <unsigned SIZE> static void try_wide_tiles()
{
    int *sums = device_alloc<int>(256 / SIZE), *others = device_alloc<int>(256);
    std::vector<int> sums_wanted(256 / SIZE), others_wanted(256);
    wide_tiles<SIZE><<<1, 256>>>(sums, others);
    for (int i = 0; i < 256; i++) {
        const int first = i / (int)SIZE * (int)SIZE;
        sums_wanted[i / SIZE] += i;
        others_wanted[i] = first + (i + 33) % (int)SIZE + first + (int)SIZE - 2 +
                           1000 * (first == 70 / (int)SIZE * (int)SIZE);
    }
    expect_equal("sums of wide tiles", from_device(sums, 256 / SIZE), sums_wanted);
    expect_equal("other warps' values", from_device(others, 256), others_wanted);
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaFree(others));
}

template <typename T> static void print_table(const char *what, const T *device, size_t rows)
{
    std::vector<T> values = from_device(device, rows * FIELDS);
    for (size_t r = 0; r<rows; r += rows> 40 ? 5 : 1) {
        printf("%s %zu:", what, r);
        for (int f = 0; f < FIELDS; f++)
            printf(" %g", (double)values[r * FIELDS + f]);
        printf("\n");
    }
}

int main()
{
    int *out = device_alloc<int>(4 * THREADS * FIELDS);
    double *wide = device_alloc<double>(THREADS * FIELDS);

    block_members<<<dim3(2, 2), dim3(8, 4, 3)>>>(out);
    print_table("block", out, 4 * THREADS);
    tile_members<32><<<1, THREADS>>>(out);
    print_table("tile of 32", out, THREADS);
    tile_members<16><<<1, THREADS>>>(out);
    print_table("tile of 16", out, THREADS);
    tile_members<4><<<1, THREADS>>>(out);
    print_table("tile of 4", out, THREADS);
    tile_members<1><<<1, THREADS>>>(out);
    print_table("tile of 1", out, THREADS);
    tiles_of_tiles<<<1, THREADS>>>(out);
    print_table("tiles of tiles", out, THREADS);
    wide_values<<<1, 32>>>(wide);
    print_table("wide", wide, 32);
    branches<<<1, THREADS>>>(out);
    print_table("branches", out, THREADS);

    not_commutative<<<1, THREADS>>>(out);
    print_table("affine", out, THREADS);

    const int n = 5000;
    std::vector<int> in = random_ints(n, 50, 3);
    int positive = 0;
    for (int x : in)
        positive += x > 0;
    int *source = to_device(in), *kept = to_device(std::vector<int>(1, 0)),
        *places = to_device(std::vector<int>(n, -1));
    aggregated<<<blocks_for(n, 128), 128>>>(source, n, kept, places);
    expect_number("kept", from_device(kept, 1)[0], positive);
    std::vector<int> seen(positive, 0), got = from_device(places, n);
    for (int i = 0; i < n; i++)
        if (got[i] >= 0 && got[i] < positive)
            seen[got[i]]++;
    expect_equal("each place once", seen, std::vector<int>(positive, 1));

    try_wide_tiles<64>();
    try_wide_tiles<128>();

    CUDA_CHECK(cudaFree(source));
    CUDA_CHECK(cudaFree(kept));
    CUDA_CHECK(cudaFree(places));
    CUDA_CHECK(cudaFree(wide));
    CUDA_CHECK(cudaFree(out));
    return program_end();
}
