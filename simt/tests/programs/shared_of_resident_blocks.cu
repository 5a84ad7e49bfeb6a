/* Blocks that are resident at once, each with its own arrays in shared memory: some threads first use an array early,
 * some late, and in no order of addresses. The host has thread-local variables too, which no launch may change. */
#include "program.h"

#include <cooperative_groups.h>

static const int THREADS = 96, BLOCKS = 6, FAR = 3000;

static thread_local int before[50];
static thread_local long long counted;
static thread_local int after[50];

/* What block b has stored at place i. */
__device__ static int mark(int b, int i)
{
    return b * 100000 + i;
}

/* In turn: the end of one array, the middle of another, the beginning of the first; each is read after all use it. */
__global__ void in_turn(int *wrong)
{
    __shared__ int one[FAR];
    __shared__ int two[FAR];
    extern __shared__ int rest[];
    const int b = (int)blockIdx.x, t = (int)threadIdx.x;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int mistakes = 0;

    one[FAR - 1 - t] = mark(b, t);
    rest[t] = mark(b, 5 * t);
    grid.sync();
    if (b % 2 == 0) /* the others never use it */
        two[FAR / 2 + t] = mark(b, 2 * t);
    grid.sync();
    one[t * 3] = mark(b, 3 * t);
    grid.sync();
    mistakes += one[FAR - 1 - t] != mark(b, t);
    mistakes += one[t * 3] != mark(b, 3 * t);
    mistakes += rest[t] != mark(b, 5 * t);
    if (b % 2 == 0)
        mistakes += two[FAR / 2 + t] != mark(b, 2 * t);
    atomicAdd(wrong, mistakes);
}

/* The second launch must not see anything of the first: each block counts from 0. */
__global__ void count_up(int *sums)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

int main()
{
    int *wrong = device_alloc<int>(1), *sums = device_alloc<int>(BLOCKS);
    CUDA_CHECK(cudaMemset(wrong, 0, sizeof *wrong));
    for (int i = 0; i < 50; i++) {
        before[i] = i;
        after[i] = -i;
    }
    for (int round = 0; round < 3; round++) {
        void *arguments[] = {&wrong};
        CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)in_turn, dim3(BLOCKS), dim3(THREADS), arguments,
                                               THREADS * sizeof(int), 0));
        CUDA_CHECK(cudaDeviceSynchronize());
        counted += from_device(wrong, 1)[0];
        count_up<<<BLOCKS, THREADS>>>(sums);
        before[round] += 1000;
    }
    expect_number("marks that another block wrote over", counted, 0);
    expect_equal("sums", from_device(sums, BLOCKS), std::vector<int>(BLOCKS, THREADS * (THREADS - 1) / 2));
    long long changed = 0;
    for (int i = 0; i < 50; i++)
        changed += (before[i] != i + (i < 3 ? 1000 : 0)) + (after[i] != -i);
    expect_number("thread-local variables that a launch changed", changed, 0);
    CUDA_CHECK(cudaFree(wrong));
    CUDA_CHECK(cudaFree(sums));
    return program_end();
}
