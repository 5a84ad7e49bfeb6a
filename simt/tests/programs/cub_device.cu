/* CUB's algorithms for the whole device, each called twice: for the size of its storage, and to do the work. */
#include "program.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

/* Calls an algorithm both times. */
template <class F> static void twice(const char *what, F algorithm)
{
    void *storage = nullptr;
    size_t bytes = 0;
    CUDA_CHECK(algorithm(storage, bytes));
    expect_true(what, bytes > 0);
    CUDA_CHECK(cudaMalloc(&storage, bytes));
    CUDA_CHECK(algorithm(storage, bytes));
    CUDA_CHECK(cudaFree(storage));
}

struct is_odd {
    __host__ __device__ __forceinline__ bool operator()(const int &x) const { return x & 1; }
};
struct larger {
    template <typename T> __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
};
struct is_less {
    template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
struct affine { /* x -> a * x + b; the composition is associative, but not commutative */
    unsigned a, b;
};
struct compose {
    __host__ __device__ affine operator()(const affine &f, const affine &g) const { return {f.a * g.a, g.a * f.b + g.b}; }
};

static const int n = 3000;

static void scans(const std::vector<int> &values, int *in, int *out)
{
    std::vector<int> want(n);
    twice("ExclusiveSum", [=](void *storage, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n); });
    std::exclusive_scan(values.begin(), values.end(), want.begin(), 0);
    expect_equal("ExclusiveSum", from_device(out, n), want);
    twice("InclusiveSum", [=](void *storage, size_t &bytes) { return cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n); });
    std::inclusive_scan(values.begin(), values.end(), want.begin());
    expect_equal("InclusiveSum", from_device(out, n), want);
    twice("ExclusiveScan", [=](void *storage, size_t &bytes) {
        return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, larger(), -100, n);
    });
    std::exclusive_scan(values.begin(), values.end(), want.begin(), -100, [](int a, int b) { return a > b ? a : b; });
    expect_equal("ExclusiveScan", from_device(out, n), want);

    std::vector<affine> functions(n), composed(n);
    for (int i = 0; i < n; i++)
        functions[i] = {(unsigned)values[i] | 1, (unsigned)i};
    affine *f = to_device(functions);
    twice("InclusiveScan", [=](void *storage, size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(storage, bytes, f, compose(), n); /* in place */
    });
    std::inclusive_scan(functions.begin(), functions.end(), composed.begin(), compose());
    expect_equal("InclusiveScan", from_device(f, n), composed);
    CUDA_CHECK(cudaFree(f));
}

static void reductions(const std::vector<int> &values, int *in)
{
    int *out = device_alloc<int>(1);
    twice("Sum", [=](void *storage, size_t &bytes) { return cub::DeviceReduce::Sum(storage, bytes, in, out, n); });
    expect_number("Sum", from_device(out, 1)[0], std::accumulate(values.begin(), values.end(), 0));
    twice("Min", [=](void *storage, size_t &bytes) { return cub::DeviceReduce::Min(storage, bytes, in, out, n); });
    expect_number("Min", from_device(out, 1)[0], *std::min_element(values.begin(), values.end()));
    twice("Max", [=](void *storage, size_t &bytes) { return cub::DeviceReduce::Max(storage, bytes, in, out, n); });
    expect_number("Max", from_device(out, 1)[0], *std::max_element(values.begin(), values.end()));
    twice("Reduce", [=](void *storage, size_t &bytes) {
        return cub::DeviceReduce::Reduce(storage, bytes, in, out, n, larger(), 1000);
    });
    expect_number("Reduce", from_device(out, 1)[0], 1000);

    cub::KeyValuePair<int, int> *least = device_alloc<cub::KeyValuePair<int, int>>(1);
    int *index = device_alloc<int>(1);
    twice("ArgMin", [=](void *storage, size_t &bytes) {
        return cub::DeviceReduce::ArgMin(storage, bytes, in, out, index, n);
    });
    expect_number("ArgMin", from_device(index, 1)[0], std::min_element(values.begin(), values.end()) - values.begin());

    const std::vector<int> offsets = {0, 10, 10, n};
    int *bounds = to_device(offsets), *sums = device_alloc<int>(3);
    twice("SegmentedSum", [=](void *storage, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Sum(storage, bytes, in, sums, 3, bounds, bounds + 1);
    });
    const int first = std::accumulate(values.begin(), values.begin() + 10, 0);
    expect_equal("SegmentedSum", from_device(sums, 3), std::vector<int>{first, 0, std::accumulate(values.begin() + 10, values.end(), 0)});
    CUDA_CHECK(cudaFree(least));
    CUDA_CHECK(cudaFree(index));
    CUDA_CHECK(cudaFree(bounds));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaFree(out));
}

template <typename K> static void sort_keys(const char *what, std::vector<K> values)
{
    K *in = to_device(values), *out = device_alloc<K>(values.size());
    const int size = (int)values.size();
    twice(what, [=](void *storage, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, size); });
    expect_equal(what, from_device(in, size), values);
    std::sort(values.begin(), values.end());
    expect_equal(what, from_device(out, size), values);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

static void sorts(const std::vector<int> &values, int *in, int *out)
{
    sort_keys("SortKeys of int", values);
    sort_keys("SortKeys of float", random_floats(n, 3));
    sort_keys("SortKeys of unsigned char", std::vector<unsigned char>{3, 200, 0, 255, 17, 3});
    std::vector<int> order(n), want(n), sorted = values;
    std::iota(order.begin(), order.end(), 0);
    want = order;
    int *places = to_device(order), *sorted_places = device_alloc<int>(n);
    cub::DoubleBuffer<int> keys(in, out), indices(places, sorted_places);
    twice("SortPairsDescending", [&](void *storage, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, keys, indices, n);
    });
    std::stable_sort(want.begin(), want.end(), [&](int a, int b) { return values[a] > values[b]; });
    std::sort(sorted.rbegin(), sorted.rend());
    expect_equal("SortPairsDescending", from_device(indices.Current(), n), want);
    expect_equal("SortPairsDescending", from_device(keys.Current(), n), sorted);

    CUDA_CHECK(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    twice("SortPairs of some bits", [=](void *storage, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(storage, bytes, (unsigned *)in, (unsigned *)out, places, sorted_places, n, 2, 7);
    });
    sorted = values;
    std::stable_sort(sorted.begin(), sorted.end(), [](int a, int b) { return ((unsigned)a >> 2 & 31) < ((unsigned)b >> 2 & 31); });
    expect_equal("SortPairs of some bits", from_device(out, n), sorted);
    twice("MergeSort", [=](void *storage, size_t &bytes) { return cub::DeviceMergeSort::SortKeys(storage, bytes, out, n, is_less()); });
    std::sort(sorted.begin(), sorted.end());
    expect_equal("MergeSort", from_device(out, n), sorted);
    CUDA_CHECK(cudaFree(places));
    CUDA_CHECK(cudaFree(sorted_places));
}

static void selections(const std::vector<int> &values, int *in, int *out)
{
    int *count = device_alloc<int>(1);
    std::vector<int> want;
    twice("If", [=](void *storage, size_t &bytes) { return cub::DeviceSelect::If(storage, bytes, in, out, count, n, is_odd()); });
    std::copy_if(values.begin(), values.end(), std::back_inserter(want), is_odd());
    expect_equal("If", from_device(out, from_device(count, 1)[0]), want);

    std::vector<char> flags(n);
    for (int i = 0; i < n; i++)
        flags[i] = i % 3 == 0;
    char *marked = to_device(flags);
    twice("Flagged", [=](void *storage, size_t &bytes) {
        return cub::DeviceSelect::Flagged(storage, bytes, in, marked, out, count, n);
    });
    want.clear();
    for (int i = 0; i < n; i += 3)
        want.push_back(values[i]);
    expect_equal("Flagged", from_device(out, from_device(count, 1)[0]), want);
    twice("Partition", [=](void *storage, size_t &bytes) {
        return cub::DevicePartition::Flagged(storage, bytes, in, marked, out, count, n);
    });
    for (int i = n - 1; i >= 0; i--) {
        if (i % 3 != 0)
            want.push_back(values[i]);
    }
    expect_equal("Partition", from_device(out, n), want);

    const std::vector<int> runs = {2, 2, 5, 5, 5, 2, 9};
    int *repeated = to_device(runs), *lengths = device_alloc<int>(runs.size());
    twice("Unique", [=](void *storage, size_t &bytes) {
        return cub::DeviceSelect::Unique(storage, bytes, repeated, out, count, 7);
    });
    expect_equal("Unique", from_device(out, from_device(count, 1)[0]), std::vector<int>{2, 5, 2, 9});
    twice("Encode", [=](void *storage, size_t &bytes) {
        return cub::DeviceRunLengthEncode::Encode(storage, bytes, repeated, out, lengths, count, 7);
    });
    expect_equal("Encode", from_device(lengths, from_device(count, 1)[0]), std::vector<int>{2, 3, 1, 1});

    int *bins = device_alloc<int>(4);
    const float samples[] = {0.5f, 1.5f, -1, 3.9f, 4, 2, 2.5f, 0};
    float *at = to_device(std::vector<float>(samples, samples + 8));
    twice("HistogramEven", [=](void *storage, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(storage, bytes, at, bins, 5, 0.0f, 4.0f, 8);
    });
    expect_equal("HistogramEven", from_device(bins, 4), std::vector<int>{2, 1, 2, 1});
    CUDA_CHECK(cudaFree(bins));
    CUDA_CHECK(cudaFree(at));
    CUDA_CHECK(cudaFree(count));
    CUDA_CHECK(cudaFree(marked));
    CUDA_CHECK(cudaFree(repeated));
    CUDA_CHECK(cudaFree(lengths));
}

int main()
{
    const std::vector<int> values = random_ints(n, 500, 7);
    int *in = to_device(values), *out = device_alloc<int>(n);
    scans(values, in, out);
    reductions(values, in);
    selections(values, in, out);
    sorts(values, in, out);

    cub::CachingDeviceAllocator allocator;
    void *storage = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n);
    CubDebugExit(allocator.DeviceAllocate(&storage, bytes));
    size_t less = bytes - 1;
    expect_true("storage that is too small", cub::DeviceScan::ExclusiveSum(storage, less, in, out, n) == cudaErrorInvalidValue);
    CubDebugExit(allocator.DeviceFree(storage));
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    return program_end();
}
