/* The k-th least by radix select: a histogram of 8 bits, the bin that holds k by a scan, and down into that bin;
 * then the largest few by a threshold and an ordered compaction. Block-wide predicates by __syncthreads_count/and/or. */
#include "program.h"

#include <algorithm>

#define BLOCK 256

struct Target {
    unsigned prefix, mask, k;
};

__global__ void histogram_of_candidates(const unsigned *keys, int n, const Target *target, int shift, unsigned *bins)
{
    __shared__ unsigned counts[256];
    const unsigned prefix = target->prefix, mask = target->mask;

    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x)
        if ((keys[i] & mask) == prefix)
            atomicAdd(&counts[keys[i] >> shift & 255u], 1u);
    __syncthreads();
    if (counts[threadIdx.x])
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void choose_bin(unsigned *bins, Target *target, int shift)
{
    __shared__ unsigned sums[256];
    const unsigned t = threadIdx.x, own = bins[t], k = target->k;

    sums[t] = own;
    for (unsigned stride = 1; stride < 256; stride *= 2) {
        __syncthreads();
        unsigned left = t >= stride ? sums[t - stride] : 0u;
        __syncthreads();
        sums[t] += left;
    }
    const unsigned after = sums[t], before = after - own;
    __syncthreads();                                            /* all have read target->k */
    if (before <= k && k < after) {
        target->prefix |= t << shift;
        target->mask |= 255u << shift;
        target->k = k - before;
    }
    bins[t] = 0;                                                /* for the next digit */
}

/* One block stores in order the values above the threshold, and then as many equal ones as there is room for. */
__global__ void take_largest(const unsigned *keys, int n, unsigned threshold, int wanted, unsigned *out)
{
    __shared__ int warps[BLOCK / 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    int taken = 0;

    for (int equals = 0; equals < 2; equals++) {
        for (int first = 0; first < n; first += BLOCK) {
            const int i = first + (int)threadIdx.x;
            const bool mine = i < n && (equals ? keys[i] == threshold : keys[i] > threshold);
            const unsigned votes = __ballot_sync(0xffffffffu, mine);
            if (lane == 0)
                warps[warp] = __popc(votes);
            const int all = __syncthreads_count(mine);
            int at = taken + __popc(votes & ((1u << lane) - 1u));
            for (int w = 0; w < warp; w++)
                at += warps[w];
            if (mine && at < wanted)
                out[at] = keys[i];
            taken += all;
            __syncthreads();
        }
    }
}

__global__ void predicates(const unsigned *keys, int *out)
{
    const unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x];
    int all = __syncthreads_and(key < 0xf0000000u), any = __syncthreads_or(key < 0x01000000u);
    int odd = __syncthreads_count(key & 1u);
    if (threadIdx.x == 7) {
        out[3 * blockIdx.x] = all != 0;
        out[3 * blockIdx.x + 1] = any != 0;
        out[3 * blockIdx.x + 2] = odd;
    }
}

int main()
{
    for (int n : {1, 256, 3000, 20000}) {
        std::vector<unsigned> keys = random_keys(n, n == 3000 ? 100 : 0, n), sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        unsigned *in = to_device(keys), *bins = device_alloc<unsigned>(256);
        Target *target = device_alloc<Target>(1);
        CUDA_CHECK(cudaMemset(bins, 0, 256 * sizeof(unsigned)));

        for (int k : {0, n / 3, n - 1}) {
            Target start = {0, 0, (unsigned)k};
            CUDA_CHECK(cudaMemcpy(target, &start, sizeof start, cudaMemcpyHostToDevice));
            for (int shift = 24; shift >= 0; shift -= 8) {
                histogram_of_candidates<<<3, BLOCK>>>(in, n, target, shift, bins);
                choose_bin<<<1, 256>>>(bins, target, shift);
            }
            CUDA_CHECK(cudaGetLastError());
            printf("n = %d, k = %d: ", n, k);
            expect_number("the key", from_device(target, 1)[0].prefix, sorted[k]);
        }
        const int wanted = n < 20 ? n : 20;
        const unsigned threshold = sorted[n - wanted];
        unsigned *largest = device_alloc<unsigned>(wanted);
        take_largest<<<1, BLOCK>>>(in, n, threshold, wanted, largest);
        CUDA_CHECK(cudaGetLastError());
        std::vector<unsigned> want;
        for (int equals = 0; equals < 2; equals++)
            for (unsigned key : keys)
                if ((equals ? key == threshold : key > threshold) && (int)want.size() < wanted)
                    want.push_back(key);
        expect_equal("the largest, in order", from_device(largest, wanted), want);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(bins));
        CUDA_CHECK(cudaFree(target));
        CUDA_CHECK(cudaFree(largest));
    }
    const int blocks = 40, threads = 50;
    std::vector<unsigned> keys = random_keys(blocks * threads, 0, 123);
    std::vector<int> want(3 * blocks);
    for (int b = 0; b < blocks; b++) {
        want[3 * b] = 1;
        for (int t = 0; t < threads; t++) {
            unsigned key = keys[b * threads + t];
            want[3 * b] &= key < 0xf0000000u;
            want[3 * b + 1] |= key < 0x01000000u;
            want[3 * b + 2] += key & 1u;
        }
    }
    unsigned *in = to_device(keys);
    int *out = device_alloc<int>(3 * blocks);
    predicates<<<blocks, threads>>>(in, out);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("predicates of blocks", from_device(out, 3 * blocks), want);
    return program_end();
}
