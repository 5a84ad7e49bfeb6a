/* Least-significant-digit radix sort with several bits per pass: a digit histogram for each tile, one scan over the
 * column-major table of counts, and a stable scatter with ranks from __match_any_sync. Keys alone and pairs. */
#include "program.h"

#include <algorithm>
#include <numeric>

template <int BITS> struct Pass {
    static constexpr unsigned RADIX = 1u << BITS, MASK = RADIX - 1, WARPS = 4, TILE = 32 * WARPS;
};

/* counts[digit * tiles + tile] */
template <int BITS> __global__ void count_digits(const unsigned *keys, unsigned n, int shift, unsigned *counts)
{
    typedef Pass<BITS> P;
    __shared__ unsigned histogram[P::RADIX];
    const unsigned i = blockIdx.x * P::TILE + threadIdx.x;

    for (unsigned d = threadIdx.x; d < P::RADIX; d += P::TILE)
        histogram[d] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&histogram[keys[i] >> shift & P::MASK], 1u);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < P::RADIX; d += P::TILE)
        counts[d * gridDim.x + blockIdx.x] = histogram[d];
}

/* Exclusive scan of any length by one block of 256. */
__global__ void scan_counts(unsigned *counts, unsigned n)
{
    __shared__ unsigned warp_sums[8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned carry = 0;

    for (unsigned first = 0; first < n; first += 256) {
        unsigned i = first + threadIdx.x, own = i < n ? counts[i] : 0, sum = own;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            unsigned left = __shfl_up_sync(0xffffffffu, sum, offset);
            sum += lane >= offset ? left : 0u;
        }
        if (lane == 31)
            warp_sums[warp] = sum;
        __syncthreads();
        unsigned before = 0, all = 0;
        for (unsigned w = 0; w < 8; w++) {
            before += w < warp ? warp_sums[w] : 0u;
            all += warp_sums[w];
        }
        if (i < n)
            counts[i] = carry + before + sum - own;
        carry += all;
        __syncthreads();
    }
}

template <int BITS, bool PAIRS>
__global__ void scatter(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out,
                        unsigned n, int shift, const unsigned *places)
{
    typedef Pass<BITS> P;
    __shared__ unsigned before[P::WARPS][P::RADIX];             /* keys of a digit in the warps to the left */
    const unsigned i = blockIdx.x * P::TILE + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const bool valid = i < n;
    const unsigned key = valid ? keys[i] : 0xffffffffu;
    const unsigned digit = valid ? key >> shift & P::MASK : P::RADIX;   /* not a digit, so it matches none */

    for (unsigned k = threadIdx.x; k < P::WARPS * P::RADIX; k += P::TILE)
        before[k / P::RADIX][k % P::RADIX] = 0;
    __syncthreads();
    const unsigned peers = __match_any_sync(0xffffffffu, digit);
    const unsigned rank = __popc(peers & ((1u << lane) - 1));
    if (valid && rank == 0)
        before[warp][digit] = __popc(peers);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < P::RADIX; d += P::TILE) {
        unsigned running = 0;
        for (unsigned w = 0; w < P::WARPS; w++) {
            unsigned here = before[w][d];
            before[w][d] = running;
            running += here;
        }
    }
    __syncthreads();
    if (valid) {
        unsigned at = places[digit * gridDim.x + blockIdx.x] + before[warp][digit] + rank;
        keys_out[at] = key;
        if (PAIRS)
            values_out[at] = values[i];
    }
}

template <int BITS> void sort(const char *name, const std::vector<unsigned> &keys, bool pairs)
{
    typedef Pass<BITS> P;
    const unsigned n = (unsigned)keys.size(), tiles = blocks_for(n, P::TILE);
    std::vector<unsigned> numbers(n), want_numbers(n), want(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    want_numbers = numbers;
    std::stable_sort(want_numbers.begin(), want_numbers.end(), [&keys](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    for (unsigned i = 0; i < n; i++)
        want[i] = keys[want_numbers[i]];

    unsigned *now = to_device(keys), *next = device_alloc<unsigned>(n);
    unsigned *values = to_device(numbers), *next_values = device_alloc<unsigned>(n);
    unsigned *counts = device_alloc<unsigned>(P::RADIX * tiles);
    for (int shift = 0; shift < 32; shift += BITS) {
        count_digits<BITS><<<tiles, P::TILE>>>(now, n, shift, counts);
        scan_counts<<<1, 256>>>(counts, P::RADIX * tiles);
        if (pairs)
            scatter<BITS, true><<<tiles, P::TILE>>>(now, values, next, next_values, n, shift, counts);
        else
            scatter<BITS, false><<<tiles, P::TILE>>>(now, nullptr, next, nullptr, n, shift, counts);
        CUDA_CHECK(cudaGetLastError());
        std::swap(now, next);
        std::swap(values, next_values);
    }
    expect_equal(name, from_device(now, n), want);
    if (pairs)
        expect_equal("  their values, stable", from_device(values, n), want_numbers);
    CUDA_CHECK(cudaFree(now));
    CUDA_CHECK(cudaFree(next));
    CUDA_CHECK(cudaFree(values));
    CUDA_CHECK(cudaFree(next_values));
    CUDA_CHECK(cudaFree(counts));
}

int main()
{
    for (unsigned n : {1u, 128u, 129u, 5000u}) {
        sort<4>("4 bits, keys", random_keys(n, 0, n), false);
        sort<8>("8 bits, keys", random_keys(n, 0, n), false);
        sort<4>("4 bits, pairs", random_keys(n, 20, n), true);
        sort<8>("8 bits, pairs", random_keys(n, 1000, n), true);
    }
    return program_end();
}
