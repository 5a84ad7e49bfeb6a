/* Quicksort whose partition is a prefix sum: flags for less, equal and greater scanned together as one packed
 * number, a stack of ranges on the host, short ranges finished by one block. */
#include "program.h"

#include <algorithm>

#define SMALL 64

/* One block partitions [begin, end) of in into out, stably, and reports where the equal keys begin and end. */
__global__ void partition3(const int *in, int *out, int begin, int end, int pivot, int *cuts)
{
    __shared__ unsigned long long sums[128];
    __shared__ unsigned long long totals;
    const int t = threadIdx.x, threads = blockDim.x;
    unsigned long long count = 0;

    /* 21 bits for each of less, equal and greater: one scan for all three */
    for (int i = begin + t; i < end; i += threads)
        count += in[i] < pivot ? 1ull : in[i] == pivot ? 1ull << 21 : 1ull << 42;
    sums[t] = count;
    __syncthreads();
    for (int stride = threads / 2; stride > 0; stride /= 2) {
        if (t < stride)
            sums[t] += sums[t + stride];
        __syncthreads();
    }
    if (t == 0)
        totals = sums[0];
    __syncthreads();
    const int less = (int)(totals & 0x1fffff), equal = (int)(totals >> 21 & 0x1fffff);
    unsigned long long carry = 0;

    for (int first = begin; first < end; first += threads) {
        const int i = first + t, x = i < end ? in[i] : 0;
        unsigned long long mine = i >= end ? 0 : x < pivot ? 1ull : x == pivot ? 1ull << 21 : 1ull << 42;
        sums[t] = mine;
        for (int stride = 1; stride < threads; stride <<= 1) {
            __syncthreads();
            unsigned long long left = t >= stride ? sums[t - stride] : 0;
            __syncthreads();
            sums[t] += left;
        }
        __syncthreads();
        unsigned long long before = carry + sums[t] - mine;
        if (i < end) {
            int at;
            if (x < pivot)
                at = (int)(before & 0x1fffff);
            else if (x == pivot)
                at = less + (int)(before >> 21 & 0x1fffff);
            else
                at = less + equal + (int)(before >> 42);
            out[begin + at] = x;
        }
        carry += sums[threads - 1];
        __syncthreads();
    }
    if (t == 0) {
        cuts[0] = begin + less;
        cuts[1] = begin + less + equal;
    }
}

__global__ void copy_range(const int *in, int *out, int begin, int end)
{
    for (int i = begin + (int)threadIdx.x; i < end; i += (int)blockDim.x)
        out[i] = in[i];
}

/* Rank by counting: as many threads as elements. */
__global__ void sort_small(const int *in, int *out, int begin, int end)
{
    __shared__ int range[SMALL];
    const int t = threadIdx.x, n = end - begin;

    if (t < n)
        range[t] = in[begin + t];
    __syncthreads();
    if (t < n) {
        int rank = 0;
        for (int i = 0; i < n; i++)
            rank += range[i] < range[t] || (range[i] == range[t] && i < t);
        out[begin + rank] = range[t];
    }
}

struct Range {
    int begin, end;
};

static void quicksort(int *data, int n)
{
    int *spare = device_alloc<int>(n), *cuts = device_alloc<int>(2);
    std::vector<Range> stack(1, Range{0, n});

    while (!stack.empty()) {
        Range r = stack.back();
        stack.pop_back();
        if (r.end - r.begin <= 1)
            continue;
        if (r.end - r.begin <= SMALL) {
            sort_small<<<1, SMALL>>>(data, spare, r.begin, r.end);
        } else {
            int sample[3], pivot, at[3] = {r.begin, r.begin + (r.end - r.begin) / 2, r.end - 1};
            for (int k = 0; k < 3; k++)
                CUDA_CHECK(cudaMemcpy(&sample[k], data + at[k], sizeof(int), cudaMemcpyDeviceToHost));
            std::sort(sample, sample + 3);
            pivot = sample[1];
            partition3<<<1, 128>>>(data, spare, r.begin, r.end, pivot, cuts);
            CUDA_CHECK(cudaGetLastError());
            int cut[2];
            CUDA_CHECK(cudaMemcpy(cut, cuts, sizeof cut, cudaMemcpyDefault));
            stack.push_back(Range{r.begin, cut[0]});
            stack.push_back(Range{cut[1], r.end});
        }
        copy_range<<<1, 128>>>(spare, data, r.begin, r.end);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(spare));
    CUDA_CHECK(cudaFree(cuts));
}

int main()
{
    for (int n : {1, 2, 64, 65, 700, 4000}) {
        for (int span : {3, 1000000}) {
            std::vector<int> values = random_ints(n, span, n + span), want = values;
            int *data = to_device(values);
            quicksort(data, n);
            std::sort(want.begin(), want.end());
            expect_equal(span == 3 ? "few values" : "many values", from_device(data, n), want);
            CUDA_CHECK(cudaFree(data));
        }
    }
    return program_end();
}
