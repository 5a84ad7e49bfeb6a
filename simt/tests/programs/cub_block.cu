/* CUB's operations of blocks and warps in kernels: loads and stores in three arrangements, scans, reductions and sorts of blocks by
 * each of their algorithms, and scans and reductions of warps and of parts of warps. */
#include "program.h"

#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <algorithm>
#include <numeric>

struct larger {
    __device__ __forceinline__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct prefix { /* the sum of earlier tiles, which the first warp asks for */
    int sum;
    __device__ int operator()(int tile)
    {
        const int before = sum;
        sum += tile;
        return before;
    }
};

template <int THREADS, int ITEMS, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE, cub::BlockScanAlgorithm SCAN>
__global__ void scan_tiles(const int *in, int *out, int n)
{
    using Load = cub::BlockLoad<int, THREADS, ITEMS, LOAD>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, STORE>;
    using Scan = cub::BlockScan<int, THREADS, SCAN>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } storage;
    prefix before = {0};
    for (int tile = 0; tile < n; tile += THREADS * ITEMS) {
        int items[ITEMS];
        Load(storage.load).Load(in + tile, items, n - tile, 0);
        __syncthreads();
        Scan(storage.scan).ExclusiveSum(items, items, before);
        __syncthreads();
        Store(storage.store).Store(out + tile, items, n - tile);
        __syncthreads();
    }
}

template <int THREADS, cub::BlockReduceAlgorithm ALGORITHM> __global__ void reduce_blocks(const int *in, int *sums, int *largest, int n)
{
    using Reduce = cub::BlockReduce<int, THREADS, ALGORITHM>;
    __shared__ typename Reduce::TempStorage storage;
    const int i = blockIdx.x * THREADS + threadIdx.x, valid = min(THREADS, n - (int)blockIdx.x * THREADS);
    const int value = i < n ? in[i] : 0;
    const int sum = Reduce(storage).Sum(value, valid);
    __syncthreads();
    const int most = Reduce(storage).Reduce(value, larger(), valid);
    if (threadIdx.x == 0) {
        atomicAdd(sums, sum);
        atomicMax(largest, most);
    }
}

template <typename K> __global__ void sort_block(K *keys, int *values)
{
    using Sort = cub::BlockRadixSort<K, 64, 3, int>;
    __shared__ typename Sort::TempStorage storage;
    K mine[3];
    int places[3];
    for (int i = 0; i < 3; i++) {
        mine[i] = keys[threadIdx.x * 3 + i];
        places[i] = threadIdx.x * 3 + i;
    }
    Sort(storage).Sort(mine, places);
    cub::StoreDirectBlocked(threadIdx.x, keys, mine);
    cub::StoreDirectBlocked(threadIdx.x, values, places);
}

__global__ void count_values(const unsigned char *in, unsigned *counts, int *heads)
{
    using Histogram = cub::BlockHistogram<unsigned char, 128, 2, 8>;
    using Heads = cub::BlockDiscontinuity<unsigned char, 128>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ typename Heads::TempStorage for_heads;
    __shared__ unsigned bins[8];
    unsigned char items[2];
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    int flags[2];
    Heads(for_heads).FlagHeads(flags, items, cuda::std::not_equal_to<>());
    cub::StoreDirectBlocked(threadIdx.x, heads, flags);
    Histogram(storage).Histogram(items, bins);
    __syncthreads();
    if (threadIdx.x < 8)
        counts[threadIdx.x] = bins[threadIdx.x];
}

template <typename T, int WIDTH> __global__ void scan_warps(const T *in, T *out, T *sums)
{
    using Scan = cub::WarpScan<T, WIDTH>;
    using Reduce = cub::WarpReduce<T, WIDTH>;
    __shared__ typename Scan::TempStorage scan[64 / WIDTH];
    __shared__ typename Reduce::TempStorage reduce[64 / WIDTH];
    const int i = threadIdx.x, part = i / WIDTH;
    T left, right;
    Scan(scan[part]).InclusiveSum(in[i], right);
    __syncwarp();
    Scan(scan[part]).ExclusiveSum(in[i], left);
    out[i] = left + right;
    const T sum = Reduce(reduce[part]).Sum(in[i]);
    if (i % WIDTH == 0)
        sums[part] = sum;
}

template <cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE, cub::BlockScanAlgorithm SCAN>
static void check_scan(const char *what, const std::vector<int> &values, const int *in, int *out)
{
    std::vector<int> want(values.size());
    std::exclusive_scan(values.begin(), values.end(), want.begin(), 0);
    scan_tiles<128, 5, LOAD, STORE, SCAN><<<1, 128>>>(in, out, (int)values.size());
    expect_equal(what, from_device(out, values.size()), want);
}

template <cub::BlockReduceAlgorithm ALGORITHM> static void check_reduce(const char *what, const std::vector<int> &values, const int *in)
{
    const int n = (int)values.size();
    int *results = to_device(std::vector<int>{0, -1000});
    reduce_blocks<96, ALGORITHM><<<blocks_for(n, 96), 96>>>(in, results, results + 1, n);
    const int sum = std::accumulate(values.begin(), values.end(), 0);
    expect_equal(what, from_device(results, 2), std::vector<int>{sum, *std::max_element(values.begin(), values.end())});
    CUDA_CHECK(cudaFree(results));
}

template <typename K> static void check_sort(const char *what, std::vector<K> values)
{
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    K *keys = to_device(values);
    int *places = device_alloc<int>(values.size());
    sort_block<<<1, 64>>>(keys, places);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
    std::sort(values.begin(), values.end());
    expect_equal(what, from_device(keys, values.size()), values);
    expect_equal(what, from_device(places, values.size()), order);
    CUDA_CHECK(cudaFree(keys));
    CUDA_CHECK(cudaFree(places));
}

template <typename T, int WIDTH> static void check_warps(const char *what, const std::vector<T> &values)
{
    T *in = to_device(values), *out = device_alloc<T>(64), *sums = device_alloc<T>(64 / WIDTH);
    scan_warps<T, WIDTH><<<1, 64>>>(in, out, sums);
    std::vector<T> want(64), totals(64 / WIDTH);
    for (int i = 0; i < 64; i++) {
        T &sum = totals[i / WIDTH];
        want[i] = sum + (sum + values[i]);
        sum += values[i];
    }
    expect_equal(what, from_device(out, 64), want);
    expect_equal(what, from_device(sums, 64 / WIDTH), totals);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    CUDA_CHECK(cudaFree(sums));
}

int main()
{
    const std::vector<int> values = random_ints(1500, 400, 5);
    int *in = to_device(values), *out = device_alloc<int>(values.size());
    check_scan<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT, cub::BLOCK_SCAN_RAKING>("raking", values, in, out);
    check_scan<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, cub::BLOCK_SCAN_WARP_SCANS>("warp scans", values, in, out);
    check_scan<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_RAKING_MEMOIZE>("memoize", values, in, out);
    check_reduce<cub::BLOCK_REDUCE_RAKING>("reduce raking", values, in);
    check_reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>("reduce commutative", values, in);
    check_reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>("reduce warps", values, in);
    check_sort("sort of int", random_ints(192, 90, 1));
    check_sort("sort of float", random_floats(192, 2));

    std::vector<unsigned char> small(256);
    std::vector<unsigned> counts(8);
    std::vector<int> heads(256);
    for (int i = 0; i < 256; i++) {
        small[i] = i * i / 7 % 8;
        counts[small[i]]++;
        heads[i] = i == 0 || small[i] != small[i - 1];
    }
    unsigned char *bytes = to_device(small);
    unsigned *bins = device_alloc<unsigned>(8);
    count_values<<<1, 128>>>(bytes, bins, out);
    expect_equal("histogram", from_device(bins, 8), counts);
    expect_equal("heads", from_device(out, 256), heads);

    std::vector<double> reals(64);
    for (int i = 0; i < 64; i++)
        reals[i] = values[i] / 8.0;
    check_warps<int, 32>("warps of int", std::vector<int>(values.begin(), values.begin() + 64));
    check_warps<double, 32>("warps of double", reals);
    check_warps<int, 8>("parts of warps", std::vector<int>(values.begin(), values.begin() + 64));
    for (void *memory : {(void *)in, (void *)out, (void *)bytes, (void *)bins})
        CUDA_CHECK(cudaFree(memory));
    return program_end();
}
