/* Work-efficient exclusive scan of any length: up-sweep and down-sweep of tiles with padded indices against
 * bank conflicts, block sums scanned by recursion, then added back. */
#include "program.h"

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#ifdef ZERO_BANK_CONFLICTS
#define CONFLICT_FREE_OFFSET(n) (((n) >> NUM_BANKS) + ((n) >> (2 * LOG_NUM_BANKS)))
#else
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#endif
#define PADDED(i) ((i) + CONFLICT_FREE_OFFSET(i))

static const unsigned THREADS = 128, TILE = 2 * THREADS;

__global__ void scan_tiles(int *out, const int *in, int *sums, unsigned n)
{
    extern __shared__ int tree[];
    const unsigned t = threadIdx.x, tile = 2 * blockDim.x;
    const unsigned a = t, b = t + blockDim.x;                   /* this thread's two elements */
    const unsigned first = blockIdx.x * tile;

    tree[PADDED(a)] = first + a < n ? in[first + a] : 0;
    tree[PADDED(b)] = first + b < n ? in[first + b] : 0;

    unsigned offset = 1;
    for (unsigned d = tile >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            unsigned left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            tree[PADDED(right)] += tree[PADDED(left)];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        if (sums != NULL)
            sums[blockIdx.x] = tree[PADDED(tile - 1)];
        tree[PADDED(tile - 1)] = 0;
    }
    for (unsigned d = 1; d < tile; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            unsigned left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int lower = tree[PADDED(left)];
            tree[PADDED(left)] = tree[PADDED(right)];
            tree[PADDED(right)] += lower;
        }
    }
    __syncthreads();
    if (first + a < n)
        out[first + a] = tree[PADDED(a)];
    if (first + b < n)
        out[first + b] = tree[PADDED(b)];
}

__global__ void add_uniform(int *out, const int *sums, unsigned n)
{
    __shared__ int before;
    unsigned i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;

    if (threadIdx.x == 0)
        before = sums[blockIdx.x];
    __syncthreads();
    if (i < n)
        out[i] += before;
    if (i + blockDim.x < n)
        out[i + blockDim.x] += before;
}

static void scan_recursive(int *out, const int *in, unsigned n)
{
    const unsigned blocks = blocks_for(n, TILE);
    const size_t shared = PADDED(TILE) * sizeof(int);

    if (blocks == 1) {
        scan_tiles<<<1, THREADS, shared>>>(out, in, NULL, n);
        CUDA_CHECK(cudaGetLastError());
        return;
    }
    int *sums = device_alloc<int>(blocks);
    scan_tiles<<<blocks, THREADS, shared>>>(out, in, sums, n);
    CUDA_CHECK(cudaGetLastError());
    scan_recursive(sums, sums, blocks);                         /* in place */
    add_uniform<<<blocks, THREADS>>>(out, sums, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(sums));
}

int main()
{
    for (unsigned n : {1u, 2u, 255u, 256u, 257u, 4099u, 65536u, 70001u}) {
        std::vector<int> values = random_ints(n, 1 << 20, n), want(n);
        int *in = to_device(values), *out = device_alloc<int>(n);

        unsigned running = 0;
        for (unsigned i = 0; i < n; i++) {
            want[i] = (int)running;
            running += (unsigned)values[i];
        }
        scan_recursive(out, in, n);
        expect_equal("exclusive scan", from_device(out, n), want);
        scan_recursive(in, in, n);
        expect_equal("exclusive scan in place", from_device(in, n), want);
        printf("last value %d\n", want[n - 1]);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
    }
    return program_end();
}
