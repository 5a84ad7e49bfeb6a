/* Bitonic sort: a block in shared memory, any power of two with steps over global memory, and the mix in which
 * the short strides go through shared memory. Pairs of key and value, ascending and descending. */
#include "program.h"

#include <algorithm>

#define SHARED_SIZE 512u

__device__ inline void order(unsigned &key_a, unsigned &value_a, unsigned &key_b, unsigned &value_b, bool ascending)
{
    if ((key_a > key_b) == ascending) {
        unsigned swapped = key_a;
        key_a = key_b;
        key_b = swapped;
        swapped = value_a;
        value_a = value_b;
        value_b = swapped;
    }
}

__global__ void sort_shared(unsigned *keys, unsigned *values, unsigned length, bool ascending)
{
    __shared__ unsigned s_keys[SHARED_SIZE], s_values[SHARED_SIZE];
    const unsigned base = blockIdx.x * SHARED_SIZE;

    for (unsigned i = threadIdx.x; i < SHARED_SIZE; i += blockDim.x) {
        s_keys[i] = keys[base + i];
        s_values[i] = values[base + i];
    }
    for (unsigned size = 2; size <= length; size <<= 1) {
        bool up = ascending ^ ((threadIdx.x & (size / 2)) != 0);
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            order(s_keys[at], s_values[at], s_keys[at + stride], s_values[at + stride],
                  size < length ? up : ascending);
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < SHARED_SIZE; i += blockDim.x) {
        keys[base + i] = s_keys[i];
        values[base + i] = s_values[i];
    }
}

/* Each block of SHARED_SIZE is sorted the other way round than the one before, which makes bitonic pairs. */
__global__ void sort_blocks_alternating(unsigned *keys, unsigned *values)
{
    __shared__ unsigned s_keys[SHARED_SIZE], s_values[SHARED_SIZE];
    const unsigned a = blockIdx.x * SHARED_SIZE + threadIdx.x, half = SHARED_SIZE / 2;

    s_keys[threadIdx.x] = keys[a];
    s_values[threadIdx.x] = values[a];
    s_keys[threadIdx.x + half] = keys[a + half];
    s_values[threadIdx.x + half] = values[a + half];
    const bool block_up = blockIdx.x % 2 == 0;
    for (unsigned size = 2; size <= SHARED_SIZE; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool up = size == SHARED_SIZE ? block_up : (threadIdx.x & (size / 2)) == 0;
            order(s_keys[at], s_values[at], s_keys[at + stride], s_values[at + stride], up);
        }
    __syncthreads();
    keys[a] = s_keys[threadIdx.x];
    values[a] = s_values[threadIdx.x];
    keys[a + half] = s_keys[threadIdx.x + half];
    values[a + half] = s_values[threadIdx.x + half];
}

__global__ void merge_global(unsigned *keys, unsigned *values, unsigned n, unsigned size, unsigned stride)
{
    unsigned comparator = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = 2 * comparator - (comparator & (stride - 1));
    bool up = size == n || (comparator & (size / 2)) == 0;
    order(keys[at], values[at], keys[at + stride], values[at + stride], up);
}

__global__ void merge_shared(unsigned *keys, unsigned *values, unsigned n, unsigned size)
{
    __shared__ unsigned s_keys[SHARED_SIZE], s_values[SHARED_SIZE];
    const unsigned a = blockIdx.x * SHARED_SIZE + threadIdx.x, half = SHARED_SIZE / 2;
    const unsigned comparator = blockIdx.x * half + threadIdx.x;
    const bool up = size == n || (comparator & (size / 2)) == 0;

    s_keys[threadIdx.x] = keys[a];
    s_values[threadIdx.x] = values[a];
    s_keys[threadIdx.x + half] = keys[a + half];
    s_values[threadIdx.x + half] = values[a + half];
    for (unsigned stride = half; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        order(s_keys[at], s_values[at], s_keys[at + stride], s_values[at + stride], up);
    }
    __syncthreads();
    keys[a] = s_keys[threadIdx.x];
    values[a] = s_values[threadIdx.x];
    keys[a + half] = s_keys[threadIdx.x + half];
    values[a + half] = s_values[threadIdx.x + half];
}

/* The keys are made distinct, because the network is not stable. */
static void make(unsigned n, std::vector<unsigned> &keys, std::vector<unsigned> &values)
{
    keys = random_keys(n, 0, n);
    values.resize(n);
    for (unsigned i = 0; i < n; i++) {
        keys[i] = (keys[i] & ~8191u) | (i * 2531u & 8191u);
        values[i] = keys[i] * 2654435761u;
    }
}

static void check(const char *name, unsigned *keys, unsigned *values, const std::vector<unsigned> &want)
{
    std::vector<unsigned> want_values(want.size());
    for (size_t i = 0; i < want.size(); i++)
        want_values[i] = want[i] * 2654435761u;
    CUDA_CHECK(cudaGetLastError());
    expect_equal(name, from_device(keys, want.size()), want);
    expect_equal("  values", from_device(values, want.size()), want_values);
    CUDA_CHECK(cudaFree(keys));
    CUDA_CHECK(cudaFree(values));
}

int main()
{
    std::vector<unsigned> keys, values, want;

    for (int descending = 0; descending < 2; descending++) {
        make(2 * SHARED_SIZE, keys, values);
        want = keys;
        for (int half = 0; half < 2; half++) {
            auto first = want.begin() + half * (int)SHARED_SIZE;
            std::sort(first, first + SHARED_SIZE);
            if (descending)
                std::reverse(first, first + SHARED_SIZE);
        }
        unsigned *k = to_device(keys), *v = to_device(values);
        sort_shared<<<2, SHARED_SIZE / 2>>>(k, v, SHARED_SIZE, !descending);
        check(descending ? "two blocks, descending" : "two blocks, ascending", k, v, want);
    }
    for (unsigned n : {1024u, 4096u, 8192u}) {
        make(n, keys, values);
        want = keys;
        std::sort(want.begin(), want.end());

        unsigned *k = to_device(keys), *v = to_device(values);
        for (unsigned size = 2; size <= n; size *= 2)
            for (unsigned stride = size / 2; stride > 0; stride /= 2)
                merge_global<<<n / 512, 256>>>(k, v, n, size, stride);
        check("all steps global", k, v, want);

        k = to_device(keys), v = to_device(values);
        sort_blocks_alternating<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(k, v);
        for (unsigned size = 2 * SHARED_SIZE; size <= n; size <<= 1)
            for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
                if (stride >= SHARED_SIZE) {
                    merge_global<<<n / 512, 256>>>(k, v, n, size, stride);
                } else {
                    merge_shared<<<n / SHARED_SIZE, SHARED_SIZE / 2>>>(k, v, n, size);
                    break;
                }
            }
        check("short strides shared", k, v, want);
    }
    return program_end();
}
