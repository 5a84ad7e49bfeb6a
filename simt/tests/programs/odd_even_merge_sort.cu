/* Batcher's odd-even merge sort over shared memory, odd-even transposition of one warp by shuffles, and a sort of
 * records by weight. */
#include "program.h"

#include <algorithm>

template <typename T> __device__ __host__ inline void compare_exchange(T &low, T &high)
{
    if (high < low) {
        T swapped = low;
        low = high;
        high = swapped;
    }
}

template <typename T, unsigned SIZE> __global__ void odd_even_merge_sort(T *data)
{
    __shared__ T tile[SIZE];
    const unsigned t = threadIdx.x;
    T *block = data + blockIdx.x * SIZE;

    tile[t] = block[t];
    tile[t + SIZE / 2] = block[t + SIZE / 2];
    for (unsigned size = 2; size <= SIZE; size <<= 1) {
        unsigned stride = size / 2, offset = t & (stride - 1);
        __syncthreads();
        unsigned at = 2 * t - (t & (stride - 1));
        compare_exchange(tile[at], tile[at + stride]);
        for (stride >>= 1; stride > 0; stride >>= 1) {
            __syncthreads();
            at = 2 * t - (t & (stride - 1));
            if (offset >= stride)
                compare_exchange(tile[at - stride], tile[at]);
        }
    }
    __syncthreads();
    block[t] = tile[t];
    block[t + SIZE / 2] = tile[t + SIZE / 2];
}

/* 32 rounds between neighbours; the value stays in a register. */
__global__ void transposition_sort(const int *in, int *out)
{
    const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
    int mine = in[i];

    for (int round = 0; round < 32; round++) {
        int partner = lane ^ 1;
        if (round & 1)                                          /* pairs 1-2, 3-4, ...; the two ends wait */
            partner = lane == 0 || lane == 31 ? lane : ((lane + 1) ^ 1) - 1;
        int theirs = __shfl_sync(0xffffffffu, mine, partner);
        if (partner > lane)
            mine = theirs < mine ? theirs : mine;
        else if (partner < lane)
            mine = theirs > mine ? theirs : mine;
    }
    out[i] = mine;
}

struct __align__(8) Record {
    float weight;
    int id;
    __host__ __device__ bool operator<(const Record &other) const
    {
        return weight < other.weight || (weight == other.weight && id < other.id);
    }
};

template <typename T, unsigned SIZE> void run(const char *name, const std::vector<T> &values)
{
    std::vector<T> want = values;
    for (size_t first = 0; first < want.size(); first += SIZE)
        std::sort(want.begin() + (long)first, want.begin() + (long)(first + SIZE));
    T *data = to_device(values);
    odd_even_merge_sort<T, SIZE><<<(unsigned)(values.size() / SIZE), SIZE / 2>>>(data);
    CUDA_CHECK(cudaGetLastError());
    char what[48];
    snprintf(what, sizeof what, "%s, tiles of %u", name, SIZE);
    expect_equal(what, from_device(data, values.size()), want);
    CUDA_CHECK(cudaFree(data));
}

int main()
{
    const unsigned n = 4096;
    std::vector<int> ints = random_ints(n, 999, 31);
    std::vector<float> floats = random_floats(n, 32);
    std::vector<Record> records(n);
    for (unsigned i = 0; i < n; i++) {
        records[i].weight = (float)(ints[i] / 100);
        records[i].id = (int)(i * 7919u % n);
    }
    run<int, 2>("int", ints);
    run<int, 64>("int", ints);
    run<int, 1024>("int", ints);
    run<float, 256>("float", floats);
    run<Record, 512>("record", records);

    int *in = to_device(ints), *out = device_alloc<int>(n);
    transposition_sort<<<n / 32, 32>>>(in, out);
    CUDA_CHECK(cudaGetLastError());
    std::vector<int> want = ints;
    for (unsigned first = 0; first < n; first += 32)
        std::sort(want.begin() + first, want.begin() + first + 32);
    expect_equal("transposition by shuffles", from_device(out, n), want);
    return program_end();
}
