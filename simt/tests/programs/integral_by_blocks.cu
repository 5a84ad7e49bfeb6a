/* Classic numerical reductions in the style of course notes: dot product, a midpoint-rule integral, Monte Carlo by a
 * counter-based generator, and the norms of a difference. Every
 * kernel keeps its macro-sized shared array and adds its block's result in a fixed order on the host. */
#include "program.h"

#include <math.h>

#define imin(a, b) ((a) < (b) ? (a) : (b))
#define THREADS_PER_BLOCK 128
#define BLOCKS imin(16, (N + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK)

const int N = 9 * 1024 + 5;

#define BLOCK_SUM(T, cache, value, result)                                                                             \
    do {                                                                                                              \
        cache[threadIdx.x] = (value);                                                                                 \
        __syncthreads();                                                                                              \
        for (int i = blockDim.x / 2; i != 0; i /= 2) {                                                                \
            if (threadIdx.x < i)                                                                                      \
                cache[threadIdx.x] += cache[threadIdx.x + i];                                                         \
            __syncthreads();                                                                                          \
        }                                                                                                             \
        if (threadIdx.x == 0)                                                                                         \
            (result)[blockIdx.x] = cache[0];                                                                          \
    } while (0)

__global__ void dot(const float *a, const float *b, float *c)
{
    __shared__ float cache[THREADS_PER_BLOCK];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    BLOCK_SUM(float, cache, temp, c);
}

__global__ void quarter_circle(double step, double *c)
{
    __shared__ double cache[THREADS_PER_BLOCK];
    double sum = 0.0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < N; i += blockDim.x * gridDim.x) {
        double x = (i + 0.5) * step;
        sum += sqrt(1.0 - x * x) * step;
    }
    BLOCK_SUM(double, cache, sum, c);
}

__host__ __device__ inline unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__global__ void hits(unsigned seed, unsigned *c)
{
    __shared__ unsigned cache[THREADS_PER_BLOCK];
    unsigned inside = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < N; i += blockDim.x * gridDim.x) {
        float x = (hash(seed + 2 * i) >> 8) * (1.0f / 16777216.0f), y = (hash(seed + 2 * i + 1) >> 8) * (1.0f / 16777216.0f);
        inside += fmaf(x, x, y * y) < 1.0f;
    }
    BLOCK_SUM(unsigned, cache, inside, c);
}

/* The largest difference, and the sum of absolute differences. */
__global__ void compare(const float *a, const float *b, float2 *c)
{
    __shared__ float2 cache[THREADS_PER_BLOCK];
    float2 mine = make_float2(0.0f, 0.0f);
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < N; i += blockDim.x * gridDim.x) {
        float gap = fabsf(a[i] - b[i]);
        mine.x = fmaxf(mine.x, gap);
        mine.y += gap;
    }
    cache[threadIdx.x] = mine;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (threadIdx.x < i) {
            cache[threadIdx.x].x = fmaxf(cache[threadIdx.x].x, cache[threadIdx.x + i].x);
            cache[threadIdx.x].y += cache[threadIdx.x + i].y;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        c[blockIdx.x] = cache[0];
}

template <typename T, class Term> static T on_cpu(Term term)
{
    T total = 0;
    for (int b = 0; b < BLOCKS; b++) {
        T cache[THREADS_PER_BLOCK];
        for (int t = 0; t < THREADS_PER_BLOCK; t++) {
            cache[t] = 0;
            for (int i = t + b * THREADS_PER_BLOCK; i < N; i += THREADS_PER_BLOCK * BLOCKS)
                cache[t] += term(i);
        }
        for (int i = THREADS_PER_BLOCK / 2; i != 0; i /= 2)
            for (int t = 0; t < i; t++)
                cache[t] += cache[t + i];
        total += cache[0];
    }
    return total;
}

template <typename T> static T total_of(const T *partials)
{
    std::vector<T> values = from_device(partials, BLOCKS);
    T total = 0;
    for (T value : values)
        total += value;
    return total;
}

int main(void)
{
    std::vector<float> a = random_floats(N, 1), b = random_floats(N, 2);
    float *dev_a = to_device(a), *dev_b = to_device(b), *partial_f = device_alloc<float>(BLOCKS);
    double *partial_d = device_alloc<double>(BLOCKS);
    unsigned *partial_u = device_alloc<unsigned>(BLOCKS);
    float2 *partial_f2 = device_alloc<float2>(BLOCKS);

    dot<<<BLOCKS, THREADS_PER_BLOCK>>>(dev_a, dev_b, partial_f);
    CUDA_CHECK(cudaGetLastError());
    expect_float("dot product", total_of(partial_f), on_cpu<float>([&](int i) { return a[i] * b[i]; }));

    const double step = 1.0 / N;
    quarter_circle<<<BLOCKS, THREADS_PER_BLOCK>>>(step, partial_d);
    CUDA_CHECK(cudaGetLastError());
    double quarter = total_of(partial_d), quarter_want = on_cpu<double>([&](int i) {
               double x = (i + 0.5) * step;
               return sqrt(1.0 - x * x) * step;
           });
    expect_equal("quarter of a circle", &quarter, &quarter_want, 1);
    printf("four of them: %.6f, %a\n", 4.0 * quarter, quarter);

    hits<<<BLOCKS, THREADS_PER_BLOCK>>>(2026u, partial_u);
    CUDA_CHECK(cudaGetLastError());
    expect_number("hits", total_of(partial_u), on_cpu<unsigned>([](int i) {
                      float x = (hash(2026u + 2 * i) >> 8) * (1.0f / 16777216.0f);
                      float y = (hash(2026u + 2 * i + 1) >> 8) * (1.0f / 16777216.0f);
                      return (unsigned)(fmaf(x, x, y * y) < 1.0f);
                  }));

    compare<<<BLOCKS, THREADS_PER_BLOCK>>>(dev_a, dev_b, partial_f2);
    CUDA_CHECK(cudaGetLastError());
    std::vector<float2> gaps = from_device(partial_f2, BLOCKS);
    float largest = 0.0f, sum = 0.0f, largest_want = 0.0f;
    for (const float2 &gap : gaps) {
        largest = fmaxf(largest, gap.x);
        sum += gap.y;
    }
    for (int i = 0; i < N; i++)
        largest_want = fmaxf(largest_want, fabsf(a[i] - b[i]));
    expect_float("largest difference", largest, largest_want);
    expect_float("sum of differences", sum, on_cpu<float>([&](int i) { return fabsf(a[i] - b[i]); }));
    return program_end();
}
