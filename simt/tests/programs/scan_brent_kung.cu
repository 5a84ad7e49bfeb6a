/* Brent-Kung inclusive scan with float sums in tree order, and a coarsened three-phase scan:
 * each thread scans its own run, the last elements are scanned, every run takes the one before it. */
#include "program.h"

constexpr int BLOCK = 64;
constexpr int RUN = 5;

__global__ __launch_bounds__(BLOCK) void brent_kung(const float *x, float *y, int n)
{
    __shared__ float xy[2 * BLOCK];
    int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;

    xy[threadIdx.x] = i < n ? x[i] : 0.0f;
    xy[threadIdx.x + blockDim.x] = i + (int)blockDim.x < n ? x[i + blockDim.x] : 0.0f;
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < 2 * BLOCK)
            xy[index] = xy[index - stride] + xy[index];
    }
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < 2 * BLOCK)
            xy[index + stride] = xy[index] + xy[index + stride];
    }
    __syncthreads();
    if (i < n)
        y[i] = xy[threadIdx.x];
    if (i + (int)blockDim.x < n)
        y[i + blockDim.x] = xy[threadIdx.x + blockDim.x];
}

template <int THREADS, int PER_THREAD> __global__ void coarsened(const int *x, int *y, int n)
{
    __shared__ int tile[THREADS][PER_THREAD + (PER_THREAD % 2 == 0)];   /* an odd row: no bank conflicts */
    __shared__ int last[THREADS];
    const int first = blockIdx.x * THREADS * PER_THREAD, t = threadIdx.x;

    for (int k = 0; k < PER_THREAD; k++) {                      /* coalesced loads */
        int at = k * THREADS + t;
        tile[at / PER_THREAD][at % PER_THREAD] = first + at < n ? x[first + at] : 0;
    }
    __syncthreads();
    for (int k = 1; k < PER_THREAD; k++)
        tile[t][k] += tile[t][k - 1];
    last[t] = tile[t][PER_THREAD - 1];
    for (int stride = 1; stride < THREADS; stride <<= 1) {
        __syncthreads();
        int left = t >= stride ? last[t - stride] : 0;
        __syncthreads();
        last[t] += left;
    }
    __syncthreads();
    if (t > 0)
        for (int k = 0; k < PER_THREAD; k++)
            tile[t][k] += last[t - 1];
    __syncthreads();
    for (int k = 0; k < PER_THREAD; k++) {
        int at = k * THREADS + t;
        if (first + at < n)
            y[first + at] = tile[at / PER_THREAD][at % PER_THREAD];
    }
}

static void brent_kung_on_cpu(std::vector<float> &xy)
{
    const int n = (int)xy.size();
    for (int stride = 1; stride < n; stride *= 2)
        for (int i = 2 * stride - 1; i < n; i += 2 * stride)
            xy[i] = xy[i - stride] + xy[i];
    for (int stride = n / 4; stride > 0; stride /= 2)
        for (int i = 2 * stride - 1; i + stride < n; i += 2 * stride)
            xy[i + stride] = xy[i] + xy[i + stride];
}

template <int PER_THREAD> void run_coarsened(const std::vector<int> &values)
{
    const int n = (int)values.size(), tile = BLOCK * PER_THREAD;
    int *x = to_device(values), *y = device_alloc<int>(n);
    std::vector<int> want(n);
    char what[40];

    for (int i = 0; i < n; i++)
        want[i] = i % tile == 0 ? values[i] : want[i - 1] + values[i];
    coarsened<BLOCK, PER_THREAD><<<(n + tile - 1) / tile, BLOCK>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
    snprintf(what, sizeof what, "coarsened, %d a thread", PER_THREAD);
    expect_equal(what, from_device(y, n), want);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
}

int main()
{
    for (int n : {1, 100, 128, 1025, 9999}) {
        std::vector<float> values = random_floats(n, n), want(n);
        for (int i = 0; i < n; i++)
            values[i] *= 0.1f;                                  /* so that the order of sums changes the result */
        float *x = to_device(values), *y = device_alloc<float>(n);

        brent_kung<<<(n + 2 * BLOCK - 1) / (2 * BLOCK), BLOCK>>>(x, y, n);
        CUDA_CHECK(cudaGetLastError());
        for (int first = 0; first < n; first += 2 * BLOCK) {
            std::vector<float> tile(2 * BLOCK, 0.0f);
            for (int i = 0; i < 2 * BLOCK && first + i < n; i++)
                tile[i] = values[first + i];
            brent_kung_on_cpu(tile);
            for (int i = 0; i < 2 * BLOCK && first + i < n; i++)
                want[first + i] = tile[i];
        }
        expect_equal("Brent-Kung sections", from_device(y, n), want);
        printf("last %a\n", (double)want[n - 1]);
        CUDA_CHECK(cudaFree(x));
        CUDA_CHECK(cudaFree(y));

        std::vector<int> ints = random_ints(n, 5000, n);
        run_coarsened<1>(ints);
        run_coarsened<RUN>(ints);
        run_coarsened<8>(ints);
    }
    return program_end();
}
