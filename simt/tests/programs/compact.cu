/* Stream compaction: predicate, scan and scatter over blocks; ballots that keep order; a warp-aggregated counter
 * that does not (its result is sorted before it is compared). Predicates are functors. */
#include "program.h"

#include <algorithm>

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

struct Above {
    int limit;
    __host__ __device__ bool operator()(int x) const { return x > limit; }
};

template <class Predicate> __global__ void flag_kept(const int *in, int *flags, int n, Predicate keep)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        flags[i] = keep(in[i]) ? 1 : 0;
}

/* Exclusive scan by one block over any length. */
__global__ void scan_flags(const int *flags, int *places, int n, int *count)
{
    __shared__ int sums[256];
    int carry = 0;

    for (int first = 0; first < n; first += 256) {
        int i = first + threadIdx.x, flag = i < n ? flags[i] : 0;
        sums[threadIdx.x] = flag;
        __syncthreads();
        for (int stride = 1; stride < 256; stride *= 2) {
            int left = (int)threadIdx.x >= stride ? sums[threadIdx.x - stride] : 0;
            __syncthreads();
            sums[threadIdx.x] += left;
            __syncthreads();
        }
        if (i < n)
            places[i] = carry + sums[threadIdx.x] - flag;
        carry += sums[255];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *count = carry;
}

__global__ void scatter(const int *in, const int *flags, const int *places, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flags[i])
        out[places[i]] = in[i];
}

/* One warp: ranks by ballot, order kept. */
template <class Predicate> __global__ void compact_by_ballot(const int *in, int *out, int n, int *count, Predicate keep)
{
    const unsigned lane = threadIdx.x;
    unsigned lanes_below;
    int kept = 0;

    lanes_below = (1u << lane) - 1u;
    for (int first = 0; first < n; first += 32) {
        int i = first + (int)lane, x = 0;
        bool mine = false;
        if (i < n) {
            x = in[i];
            mine = keep(x);
        }
        unsigned votes = __ballot_sync(0xffffffffu, mine);
        if (mine)
            out[kept + __popc(votes & lanes_below)] = x;
        kept += __popc(votes);
    }
    if (lane == 0)
        *count = kept;
}

/* One atomic operation per warp: the lowest of the lanes that keep an element takes places for all of them. */
template <class Predicate> __global__ void compact_unordered(const int *in, int *out, int n, int *count, Predicate keep)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    bool mine = i < n && keep(in[i]);
    unsigned votes = __ballot_sync(0xffffffffu, mine);
    if (votes == 0)
        return;
    int leader = __ffs((int)votes) - 1, base = 0;
    if (lane == leader)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(0xffffffffu, base, leader);
    if (mine)
        out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
}

template <class Predicate> void run(const char *name, const std::vector<int> &values, Predicate keep)
{
    const int n = (int)values.size();
    const dim3 block(128), grid(blocks_for(n, block.x));
    std::vector<int> want, got;
    for (int x : values)
        if (keep(x))
            want.push_back(x);

    int *in = to_device(values), *flags = device_alloc<int>(n), *places = device_alloc<int>(n);
    int *out = device_alloc<int>(n), *count = device_alloc<int>(1);
    printf("%s, n = %d\n", name, n);

    flag_kept<<<grid, block>>>(in, flags, n, keep);
    scan_flags<<<1, 256>>>(flags, places, n, count);
    scatter<<<grid, block>>>(in, flags, places, out, n);
    CUDA_CHECK(cudaGetLastError());
    got = from_device(out, from_device(count, 1)[0]);
    expect_equal("scan and scatter", got, want);

    CUDA_CHECK(cudaMemset(out, 0, n * sizeof(int)));
    compact_by_ballot<Predicate><<<1, 32>>>(in, out, n, count, keep);
    CUDA_CHECK(cudaGetLastError());
    got = from_device(out, from_device(count, 1)[0]);
    expect_equal("ballots", got, want);

    CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));
    compact_unordered<<<grid, block>>>(in, out, n, count, keep);
    CUDA_CHECK(cudaGetLastError());
    got = from_device(out, from_device(count, 1)[0]);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    expect_equal("one atomic a warp, sorted", got, want);

    int *all[] = {in, flags, places, out, count};
    for (int *pointer : all)
        CUDA_CHECK(cudaFree(pointer));
}

int main()
{
    for (int n : {1, 32, 1000, 8193}) {
        std::vector<int> values = random_ints(n, 1000, n);
        run("odd", values, IsOdd());
        run("above 900", values, Above{900});
        run("none", values, Above{1000});
        run("all", values, Above{-1001});
    }
    return program_end();
}
