/* Radix sort with one bit per pass, as a stable split: e = not b, f = scan of e, t = i - f + total, and the scatter.
 * One block by itself, and any length with a scan over blocks; int and float keys by order-preserving flips. */
#include "program.h"

#include <algorithm>

#define THREADS 128

/* 32 passes in shared memory; n == blockDim.x. */
__global__ void sort_block(unsigned *keys, unsigned n)
{
    extern __shared__ unsigned shared[];
    unsigned *current = shared, *falses = shared + n;
    const unsigned i = threadIdx.x;
    __shared__ unsigned total;

    current[i] = keys[i];
    for (unsigned bit = 0; bit < 32; bit++) {
        __syncthreads();
        unsigned key = current[i], b = key >> bit & 1u, e = 1u - b;
        falses[i] = e;
        for (unsigned stride = 1; stride < n; stride *= 2) {
            __syncthreads();
            unsigned left = i >= stride ? falses[i - stride] : 0u;
            __syncthreads();
            falses[i] += left;
        }
        unsigned f = falses[i] - e;                             /* exclusive */
        if (i == n - 1)
            total = f + e;
        __syncthreads();
        unsigned t = i - f + total;
        current[b ? t : f] = key;
    }
    __syncthreads();
    keys[i] = current[i];
}

template <typename Key> struct Ordered;                         /* converts a key to an unsigned with the same order */

template <> struct Ordered<unsigned> {
    static __host__ __device__ unsigned to_bits(unsigned key) { return key; }
    static __host__ __device__ unsigned to_key(unsigned bits) { return bits; }
};

template <> struct Ordered<int> {
    static __host__ __device__ unsigned to_bits(int key) { return (unsigned)key ^ 0x80000000u; }
    static __host__ __device__ int to_key(unsigned bits) { return (int)(bits ^ 0x80000000u); }
};

template <> struct Ordered<float> {
    static __device__ unsigned to_bits(float key)
    {
        unsigned bits = __float_as_uint(key);
        return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
    }
    static __device__ float to_key(unsigned bits)
    {
        return __uint_as_float(bits ^ (bits >> 31 ? 0x80000000u : 0xffffffffu));
    }
};

template <typename Key> __global__ void flip_in(const Key *keys, unsigned *bits, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bits[i] = Ordered<Key>::to_bits(keys[i]);
}

template <typename Key> __global__ void flip_out(const unsigned *bits, Key *keys, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        keys[i] = Ordered<Key>::to_key(bits[i]);
}

/* Exclusive scan of e inside each block, and the number of falses in the block. */
__global__ void count_falses(const unsigned *keys, unsigned n, unsigned bit, unsigned *f, unsigned *block_falses)
{
    __shared__ unsigned warp_falses[THREADS / 32];
    const unsigned i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const bool e = i < n && !(keys[i] >> bit & 1u);
    const unsigned votes = __ballot_sync(0xffffffffu, e);

    if (lane == 0)
        warp_falses[warp] = __popc(votes);
    __syncthreads();
    unsigned before = 0, all = 0;
    for (unsigned w = 0; w < THREADS / 32; w++) {
        before += w < warp ? warp_falses[w] : 0;
        all += warp_falses[w];
    }
    if (i < n)
        f[i] = before + __popc(votes & ((1u << lane) - 1));
    if (threadIdx.x == 0)
        block_falses[blockIdx.x] = all;
}

/* One thread: replaces block_falses by its exclusive scan, with the total at the end. */
__global__ void scan_blocks(unsigned *block_falses, unsigned blocks)
{
    unsigned running = 0;
    for (unsigned b = 0; b < blocks; b++) {
        unsigned here = block_falses[b];
        block_falses[b] = running;
        running += here;
    }
    block_falses[blocks] = running;
}

__global__ void split(const unsigned *keys, unsigned *out, unsigned n, unsigned bit, const unsigned *f,
                      const unsigned *block_falses, unsigned blocks)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        unsigned falses = f[i] + block_falses[blockIdx.x];
        unsigned d = keys[i] >> bit & 1u ? i - falses + block_falses[blocks] : falses;
        out[d] = keys[i];
    }
}

template <typename Key> void sort_any(const char *name, const std::vector<Key> &keys)
{
    const unsigned n = (unsigned)keys.size(), blocks = blocks_for(n, THREADS);
    Key *device_keys = to_device(keys);
    unsigned *now = device_alloc<unsigned>(n), *next = device_alloc<unsigned>(n), *f = device_alloc<unsigned>(n);
    unsigned *block_falses = device_alloc<unsigned>(blocks + 1);

    flip_in<Key><<<blocks, THREADS>>>(device_keys, now, n);
    for (unsigned bit = 0; bit < 8 * sizeof(Key); bit++) {
        count_falses<<<blocks, THREADS>>>(now, n, bit, f, block_falses);
        scan_blocks<<<1, 1>>>(block_falses, blocks);
        split<<<blocks, THREADS>>>(now, next, n, bit, f, block_falses, blocks);
        std::swap(now, next);
    }
    flip_out<<<blocks, THREADS>>>(now, device_keys, n);
    CUDA_CHECK(cudaGetLastError());
    std::vector<Key> want = keys;
    std::sort(want.begin(), want.end());
    expect_equal(name, from_device(device_keys, n), want);
    cudaFree(device_keys), cudaFree(now), cudaFree(next), cudaFree(f), cudaFree(block_falses);
}

int main()
{
    for (unsigned n : {1u, 2u, 100u, 256u}) {
        std::vector<unsigned> keys = random_keys(n, 0, n), want = keys;
        unsigned *device_keys = to_device(keys);
        sort_block<<<1, n, 2 * n * sizeof(unsigned)>>>(device_keys, n);
        CUDA_CHECK(cudaGetLastError());
        std::sort(want.begin(), want.end());
        expect_equal("one block", from_device(device_keys, n), want);
        CUDA_CHECK(cudaFree(device_keys));
    }
    for (unsigned n : {1u, 127u, 1025u, 3000u}) {
        sort_any("unsigned", random_keys(n, 0, n));
        sort_any("int", random_ints(n, 1000000, n));
        std::vector<float> floats = random_floats(n, n);
        for (unsigned i = 0; i < n; i += 10)
            floats[i] *= 1e-30f;
        sort_any("float", floats);
    }
    return program_end();
}
