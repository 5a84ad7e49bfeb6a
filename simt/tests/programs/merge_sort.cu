/* Merge sort by merge path: each thread finds by binary search where its diagonal crosses the path, and merges a
 * fixed number of outputs; blocks load both their ranges into shared memory. Stable, with a comparator functor. */
#include "program.h"

#include <algorithm>

constexpr int THREADS = 64, PER_THREAD = 7, TILE = THREADS * PER_THREAD;

struct Less {
    __host__ __device__ bool operator()(uint2 a, uint2 b) const { return a.x < b.x; }
};

struct GreaterLowByte {
    __host__ __device__ bool operator()(uint2 a, uint2 b) const { return (a.x & 0xff) > (b.x & 0xff); }
};

/* How many of the first `diagonal` outputs come from a. Of equal elements, those of a come first. */
template <class Before>
__device__ int merge_path(const uint2 *a, int a_count, const uint2 *b, int b_count, int diagonal, Before before)
{
    int low = diagonal > b_count ? diagonal - b_count : 0;
    int high = diagonal < a_count ? diagonal : a_count;

    while (low < high) {
        int middle = (low + high) >> 1;
        if (!before(b[diagonal - 1 - middle], a[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <int COUNT, class Before>
__device__ void serial_merge(const uint2 *a, int a_count, const uint2 *b, int b_count, int diagonal, uint2 (&out)[COUNT],
                             Before before)
{
    int i = merge_path(a, a_count, b, b_count, diagonal, before), j = diagonal - i;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        bool from_a = j >= b_count || (i < a_count && !before(b[j], a[i]));
        if (from_a && i < a_count)
            out[k] = a[i++];
        else if (j < b_count)
            out[k] = b[j++];
        else
            out[k] = make_uint2(0, 0);                          /* past the end of both */
    }
}

template <class Before> __global__ void sort_tiles(const uint2 *in, uint2 *out, int n, Before before)
{
    __shared__ uint2 tile[TILE];
    const int first = blockIdx.x * TILE, count = min(TILE, n - first), t = threadIdx.x;
    uint2 mine[PER_THREAD];

    for (int i = t; i < count; i += THREADS)
        tile[i] = in[first + i];
    __syncthreads();

    /* Each thread sorts its own run by insertion; then runs are merged in pairs. */
    const int begin = min(t * PER_THREAD, count), end = min(begin + PER_THREAD, count);
    for (int i = begin + 1; i < end; i++) {
        uint2 moved = tile[i];
        int at = i;
        for (; at > begin && before(moved, tile[at - 1]); at--)
            tile[at] = tile[at - 1];
        tile[at] = moved;
    }
    for (int width = PER_THREAD; width < TILE; width *= 2) {
        __syncthreads();
        int pair = begin / (2 * width) * (2 * width);
        int a_end = min(pair + width, count), b_end = min(pair + 2 * width, count);
        int diagonal = min(begin - pair, b_end - pair);
        serial_merge(tile + pair, a_end - pair, tile + a_end, b_end - a_end, diagonal, mine, before);
        __syncthreads();
        for (int k = 0; k < PER_THREAD && begin + k < count; k++)
            tile[begin + k] = mine[k];
    }
    __syncthreads();
    for (int i = t; i < count; i += THREADS)
        out[first + i] = tile[i];
}

/* Merges runs of `width` in pairs; this block makes outputs [first, first + TILE). */
template <class Before> __global__ void merge_runs(const uint2 *in, uint2 *out, int n, int width, Before before)
{
    __shared__ uint2 both[TILE];
    __shared__ int split[2];
    const int first = blockIdx.x * TILE, last = min(first + TILE, n), t = threadIdx.x;
    const int pair = first / (2 * width) * (2 * width);
    const int middle = min(pair + width, n), stop = min(pair + 2 * width, n);

    if (t < 2)
        split[t] = merge_path(in + pair, middle - pair, in + middle, stop - middle, (t == 0 ? first : last) - pair, before);
    __syncthreads();
    const int a_begin = pair + split[0], a_end = pair + split[1];
    const int b_begin = middle + (first - pair - split[0]), b_end = middle + (last - pair - split[1]);
    const int a_count = a_end - a_begin, b_count = b_end - b_begin;
    for (int i = t; i < a_count + b_count; i += THREADS)
        both[i] = i < a_count ? in[a_begin + i] : in[b_begin + i - a_count];
    __syncthreads();

    uint2 mine[PER_THREAD];
    const int diagonal = min(t * PER_THREAD, a_count + b_count);
    serial_merge(both, a_count, both + a_count, b_count, diagonal, mine, before);
    for (int k = 0; k < PER_THREAD; k++)
        if (first + t * PER_THREAD + k < last)
            out[first + t * PER_THREAD + k] = mine[k];
}

template <class Before> void run(const char *name, const std::vector<uint2> &records, Before before)
{
    const int n = (int)records.size();
    uint2 *now = to_device(records), *next = device_alloc<uint2>(n);
    const int tiles = (n + TILE - 1) / TILE;

    sort_tiles<<<tiles, THREADS>>>(now, next, n, before);
    for (int width = TILE; width < n; width *= 2) {
        std::swap(now, next);
        merge_runs<<<tiles, THREADS>>>(now, next, n, width, before);
    }
    CUDA_CHECK(cudaGetLastError());
    std::vector<uint2> want = records;
    std::stable_sort(want.begin(), want.end(), before);
    expect_equal(name, from_device(next, n), want);
    CUDA_CHECK(cudaFree(now));
    CUDA_CHECK(cudaFree(next));
}

int main()
{
    for (int n : {1, 7, 448, 449, 1000, 5000}) {
        std::vector<unsigned> keys = random_keys(n, n < 1000 ? 50 : 0, n);
        std::vector<uint2> records(n);
        for (int i = 0; i < n; i++)
            records[i] = make_uint2(keys[i], (unsigned)i);
        run("by key", records, Less());
        run("by low byte, falling", records, GreaterLowByte{});
    }
    return program_end();
}
