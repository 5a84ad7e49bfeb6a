// Steps, and the meters by line, on kernels small enough to count by hand, as in check_meters.cu.
#include "meters.h"
#include <cooperative_groups.h>

static int *ints;   /* 4096, all 0 */
static int *others; /* the same */

__device__ int add(int a, int b)
{
    simt_count_combine();
    return a + b;
}

__global__ void serial(int *data, int n)
{
    int sum = 0;
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            sum = add(sum, data[i]);
    data[threadIdx.x] = sum;
}

__global__ void tree(int *data)
{
    __shared__ int sums[128];
    sums[threadIdx.x] = data[threadIdx.x];
    sums[threadIdx.x + 64] = data[threadIdx.x + 64];
    for (unsigned half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] = add(sums[threadIdx.x], sums[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        data[0] = sums[0];
}

__global__ void hillis_steele(int *data)
{
    __shared__ int sums[64];
    int sum = sums[threadIdx.x] = data[threadIdx.x];
    for (unsigned stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        if (threadIdx.x >= stride)
            sum = add(sums[threadIdx.x - stride], sum);
        __syncthreads();
        sums[threadIdx.x] = sum;
    }
    data[threadIdx.x] = sum;
}

__global__ void shuffled(int *data)
{
    int sum = data[threadIdx.x];
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        int left = __shfl_up_sync(~0u, sum, stride);
        if (threadIdx.x >= stride)
            sum = add(left, sum);
    }
    data[threadIdx.x] = sum;
}

/* Each block adds to what the block before has published: the chain has as many links as there are blocks. */
__global__ void chain(int *turn, volatile int *sum)
{
    __shared__ int ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(turn, 1);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    volatile int *ready = turn + 1;
    while (*ready != ticket)
        ;
    *sum = add(*sum, 1);
    __threadfence();
    *ready = ticket + 1;
}

__global__ void once(int *data)
{
    data[threadIdx.x] = add(data[threadIdx.x], 1);
}

/* In iteration k, block k adds to the result of the block before it. */
__global__ void relay(int *data)
{
    for (unsigned k = 0; k < gridDim.x; k++) {
        if (blockIdx.x == k && threadIdx.x == 0)
            *data = add(*data, 1);
        cooperative_groups::this_grid().sync();
    }
}

/* Each thread adds 1 by a compare-and-swap; if that fails, it adds once more. */
__global__ void swaps(int *data)
{
    int old = 0, seen;
    while ((seen = atomicCAS(data, old, add(old, 1))) != old)
        old = seen;
}

static void steps_are_the_longest_chain()
{
    RUN(serial<<<1, 64>>>(ints, 10));
    EXPECT("steps", 10);
    EXPECT("combines", 10);
    EXPECT("idle lanes", 2 * 10 * 31); /* the reads of one thread, and its additions */
    RUN(tree<<<1, 64>>>(ints));
    EXPECT("steps", 7);
    EXPECT("combines", 127);
    EXPECT("barriers", 7);
    RUN(hillis_steele<<<1, 64>>>(ints));
    EXPECT("steps", 6);
    EXPECT("combines", 64 * 6 - 63);
    RUN(shuffled<<<1, 32>>>(ints));
    EXPECT("steps", 5);
    RUN(once<<<16, 64>>>(ints)); /* all at once */
    EXPECT("steps", 1);
    RUN(once<<<1, 64>>>(ints); once<<<1, 64>>>(ints)); /* one launch after the other */
    EXPECT("steps", 2);
    void *arguments[] = {&ints};
    RUN(cudaLaunchCooperativeKernel((const void *)relay, dim3(5), dim3(32), arguments, 0, nullptr));
    EXPECT("steps", 5);
    EXPECT("global requests", 5 * 2);
    cudaMemset(others, 0, 16);
    RUN(swaps<<<1, 1>>>(others));
    EXPECT("steps", 1);
    EXPECT("atomics", 1);
    RUN(swaps<<<1, 1>>>(others)); /* the first one fails */
    EXPECT("steps", 2);
    EXPECT("atomics", 2);
    cudaMemset(others, 0, 16);
    RUN(chain<<<9, 32>>>(others, others + 2));
    EXPECT("steps", 9);
    EXPECT("atomics on one address", 9);
}

/* ---- by line ---------------------------------------------------------------------------------------------------- */

static int first_line = __LINE__ + 4;
__global__ void lines(int *data)
{
    __shared__ int tile[1024];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    int sum = add(tile[threadIdx.x * 8 % 256], 1);
    atomicAdd(&data[0], sum);
}

static const struct simt_line *line(int number)
{
    static const struct simt_line none = {};
    size_t count = simt_line_count();
    for (size_t i = 0; i < count; i++)
        if (simt_line_at(i)->where.line == number && strcmp(simt_line_at(i)->where.file, "check_steps.cu") == 0)
            return simt_line_at(i);
    return &none;
}

#define EXPECT_LINE(number, field, wanted) expect(__func__, #number " " #field, line(first_line + number)->field, wanted)

static void each_line_has_its_own_counts()
{
    RUN(lines<<<2, 64>>>(ints));
    EXPECT_LINE(0, shared_requests, 4);
    EXPECT_LINE(0, shared_wavefronts, 4);
    EXPECT_LINE(0, global_requests, 4);
    EXPECT_LINE(0, global_sectors, 16);
    EXPECT_LINE(0, excess_sectors, 0);
    EXPECT_LINE(0, instructions, 8);
    EXPECT_LINE(1, barriers, 2);
    EXPECT_LINE(2, shared_requests, 4);
    EXPECT_LINE(2, shared_wavefronts, 4 * 8);
    EXPECT_LINE(2, excess_wavefronts, 4 * 7);
    EXPECT_LINE(2, combines, 0); /* combines count where they are written: in add */
    EXPECT_LINE(3, atomics, 128);
    EXPECT_LINE(3, global_requests, 4);
    EXPECT_LINE(3, global_sectors, 4);
}

static void meters_that_are_off_are_not_there()
{
    simt_measure(false);
    RUN(tree<<<1, 64>>>(ints));
    EXPECT("combines", 127);
    EXPECT("barriers", 7);
    EXPECT("steps", ~0ull);
    EXPECT("shared wavefronts", ~0ull);
    simt_measure(true);
}

int main()
{
    static void (*const tests[])() = {
        steps_are_the_longest_chain,
        each_line_has_its_own_counts,
        meters_that_are_off_are_not_there,
    };

    cudaMalloc(&ints, 4096 * sizeof *ints);
    cudaMalloc(&others, 4096 * sizeof *others);
    cudaMemset(ints, 0, 4096 * sizeof *ints);
    under_schedules(tests, sizeof tests / sizeof *tests);
    cudaFree(ints);
    cudaFree(others);
    return closing_line("steps", passed, failed);
}
