/* Host threads that launch into the default stream, which orders their launches, and are joined. Each adds to the same
 * array, to one of its own, and to a counter on the device; a kernel with dynamic shared memory reverses blocks. */
#include "../program.h"

#include <atomic>
#include <pthread.h>
#include <thread>

static const int THREADS = 5, ROUNDS = 8, N = 1500, BLOCK = 128;

__device__ unsigned launches;

__global__ void add_to(int *values, int by, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] += by;
    if (i == 0)
        atomicAdd(&launches, 1u);
}

template <class T> __global__ void reverse_blocks(T *values)
{
    extern __shared__ int buffer[];
    __shared__ int last;
    T *mine = values + blockIdx.x * blockDim.x;
    buffer[threadIdx.x] = mine[threadIdx.x];
    if (threadIdx.x == 0)
        last = blockDim.x - 1;
    __syncthreads();
    mine[threadIdx.x] = buffer[last - threadIdx.x];
}

static std::atomic<int> ready;

/* A local static of a function that all threads call: it is constructed once. */
static const std::vector<int> &steps()
{
    static const std::vector<int> made = random_ints(ROUNDS, 100, 9);
    return made;
}

static void add_rounds(int thread, int *shared, int *own)
{
    ready++;
    while (ready < THREADS)
        std::this_thread::yield();
    for (int round = 0; round < ROUNDS; round++) {
        add_to<<<blocks_for(N, BLOCK), BLOCK>>>(shared, steps()[round] * (thread + 1), N);
        add_to<<<blocks_for(N, BLOCK), BLOCK>>>(own, round + thread, N);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

struct turned {
    int *values;
    int blocks;
};

static void *turn(void *argument)
{
    const turned *job = (const turned *)argument;
    reverse_blocks<<<job->blocks, 64, 64 * sizeof(int)>>>(job->values);
    CUDA_CHECK(cudaDeviceSynchronize());
    return (void *)job->values;
}

int main()
{
    int *shared = device_alloc<int>(N), *own[THREADS];
    CUDA_CHECK(cudaMemset(shared, 0, N * sizeof(int)));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < THREADS; thread++) {
        own[thread] = device_alloc<int>(N);
        CUDA_CHECK(cudaMemset(own[thread], 0, N * sizeof(int)));
        threads.emplace_back(add_rounds, thread, shared, own[thread]);
    }
    for (std::thread &thread : threads)
        thread.join();

    int sum = 0;
    for (int step : steps())
        sum += step;
    expect_equal("all threads", from_device(shared, N),
                 std::vector<int>(N, sum * THREADS * (THREADS + 1) / 2));
    for (int thread = 0; thread < THREADS; thread++) {
        expect_equal("one thread", from_device(own[thread], N),
                     std::vector<int>(N, ROUNDS * (ROUNDS - 1) / 2 + ROUNDS * thread));
        CUDA_CHECK(cudaFree(own[thread]));
    }
    unsigned counted = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&counted, launches, sizeof counted));
    expect_number("launches", counted, 2 * THREADS * ROUNDS);

    const std::vector<int> in = random_ints(4 * 64, 1000, 3);
    std::vector<int> want(in.size());
    for (size_t i = 0; i < in.size(); i++)
        want[i / 64 * 64 + 63 - i % 64] = in[i];
    turned jobs[2] = {{to_device(in), 4}, {to_device(in), 2}};
    pthread_t both[2];
    for (int i = 0; i < 2; i++)
        expect_number("pthread_create", pthread_create(&both[i], NULL, turn, &jobs[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *result;
        expect_number("pthread_join", pthread_join(both[i], &result), 0);
        expect_equal("turned", from_device((const int *)result, jobs[i].blocks * 64).data(), want.data(),
                     jobs[i].blocks * 64);
        CUDA_CHECK(cudaFree(jobs[i].values));
    }
    CUDA_CHECK(cudaFree(shared));
    return program_end();
}
