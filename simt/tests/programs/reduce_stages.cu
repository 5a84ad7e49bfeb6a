/* One sum in seven stages: interleaved, strided, sequential, first add on load, unrolled last warp,
 * block size as a template argument, several elements a thread. */
#include "program.h"

typedef void (*Kernel)(const int *, int *, unsigned);

__global__ void sum_interleaved(const int *in, int *out, unsigned n)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
        if (t % (2 * stride) == 0)
            part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void sum_strided(const int *in, int *out, unsigned n)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
        unsigned left = 2 * stride * t;
        if (left < blockDim.x)
            part[left] += part[left + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void sum_sequential(const int *in, int *out, unsigned n)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride)
            part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void sum_add_on_load(const int *in, int *out, unsigned n)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

    int mine = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    part[t] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride)
            part[t] = mine = mine + part[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = mine;
}

/* Sums the last 64 values in one warp: a read, a warp barrier, a write, a warp barrier. */
__device__ void last_warp(volatile int *part, unsigned t)
{
    int mine = part[t];
#pragma unroll
    for (unsigned stride = 32; stride > 0; stride >>= 1) {
        mine += part[t + stride];
        __syncwarp();
        part[t] = mine;
        __syncwarp();
    }
}

__global__ void sum_last_warp(const int *in, int *out, unsigned n)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

    part[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    if (t < 32)
        part[blockDim.x + t] = 0;                       /* lanes read up to 32 past the end */
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
        if (t < stride)
            part[t] += part[t + stride];
        __syncthreads();
    }
    if (t < 32)
        last_warp(part, t);
    if (t == 0)
        out[blockIdx.x] = part[0];
}

template <unsigned BLOCK> __device__ __forceinline__ void last_warp_of(volatile int *part, unsigned t)
{
    int mine = part[t];
    if (BLOCK >= 64) { mine += part[t + 32]; __syncwarp(); part[t] = mine; __syncwarp(); }
    if (BLOCK >= 32) { mine += part[t + 16]; __syncwarp(); part[t] = mine; __syncwarp(); }
    if (BLOCK >= 16) { mine += part[t + 8]; __syncwarp(); part[t] = mine; __syncwarp(); }
    if (BLOCK >= 8) { mine += part[t + 4]; __syncwarp(); part[t] = mine; __syncwarp(); }
    if (BLOCK >= 4) { mine += part[t + 2]; __syncwarp(); part[t] = mine; __syncwarp(); }
    if (BLOCK >= 2) { mine += part[t + 1]; __syncwarp(); part[t] = mine; __syncwarp(); }
}

template <unsigned BLOCK> __global__ void sum_unrolled(const int *in, int *out, unsigned n)
{
    __shared__ int part[BLOCK + 32];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (BLOCK * 2) + t;
    const unsigned grid_stride = BLOCK * 2 * gridDim.x;
    int mine = 0;

    while (i < n) {
        mine += in[i];
        if (i + BLOCK < n)
            mine += in[i + BLOCK];
        i += grid_stride;
    }
    part[t] = mine;
    if (t < 32)
        part[BLOCK + t] = 0;
    __syncthreads();
    if (BLOCK >= 1024) { if (t < 512) part[t] += part[t + 512]; __syncthreads(); }
    if (BLOCK >= 512) { if (t < 256) part[t] += part[t + 256]; __syncthreads(); }
    if (BLOCK >= 256) { if (t < 128) part[t] += part[t + 128]; __syncthreads(); }
    if (BLOCK >= 128) { if (t < 64) part[t] += part[t + 64]; __syncthreads(); }
    if (t < 32)
        last_warp_of<BLOCK>(part, t);
    if (t == 0)
        out[blockIdx.x] = part[0];
}

static void launch_unrolled(unsigned block, unsigned grid, const int *in, int *out, unsigned n)
{
    switch (block) {
    case 1024: sum_unrolled<1024><<<grid, 1024>>>(in, out, n); break;
    case 512: sum_unrolled<512><<<grid, 512>>>(in, out, n); break;
    case 256: sum_unrolled<256><<<grid, 256>>>(in, out, n); break;
    case 128: sum_unrolled<128><<<grid, 128>>>(in, out, n); break;
    case 64: sum_unrolled< 64><<<grid, 64>>>(in, out, n); break;
    case 32: sum_unrolled<32> <<< grid, 32 >>> (in, out, n); break;
    default: printf("no block of %u\n", block); exit(EXIT_FAILURE);
    }
}

static int sum_partials(const int *device_partials, unsigned n)
{
    std::vector<int> partials = from_device(device_partials, n);
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += partials[i];
    return sum;
}

int main()
{
    static const struct { const char *name; Kernel kernel; unsigned per_thread; } stages[] = {
        {"interleaved", sum_interleaved, 1}, {"strided", sum_strided, 1},
        {"sequential", sum_sequential, 1},   {"add on load", sum_add_on_load, 2},
        {"last warp", sum_last_warp, 2},
    };
    static const unsigned sizes[] = {1, 31, 128, 1000, 4096, 16411};

    for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const unsigned n = sizes[s];
        std::vector<int> values = random_ints(n, 100000, n);
        int want = 0;
        for (unsigned i = 0; i < n; i++)
            want += values[i];
        printf("n = %u\n", n);

        int *in = to_device(values), *out = device_alloc<int>(n);
        for (unsigned k = 0; k < sizeof stages / sizeof stages[0]; k++) {
            const unsigned block = 128, grid = blocks_for(n, block * stages[k].per_thread);
            stages[k].kernel<<<grid, block, (block + 32) * sizeof(int)>>>(in, out, n);
            CUDA_CHECK(cudaGetLastError());
            expect_number(stages[k].name, sum_partials(out, grid), want);
        }
        for (unsigned block = 32; block <= 1024; block *= 2) {
            unsigned grid = blocks_for(n, block * 2);
            if (grid > 4)
                grid = 4;
            launch_unrolled(block, grid, in, out, n);
            CUDA_CHECK(cudaGetLastError());
            char name[32];
            snprintf(name, sizeof name, "unrolled<%u>", block);
            expect_number(name, sum_partials(out, grid), want);
        }
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
    }
    return program_end();
}
