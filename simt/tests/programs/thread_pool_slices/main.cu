/* A pool of host threads, each with its own stream and slice: it copies the slice in, sums its tiles through shared
 * memory, and copies it out. A mutex protects the queue of work; a condition variable reports finished slices. */
#include "../program.h"

#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

static const int WORKERS = 4, SLICES = 24, TILE = 128, TILES = 6, SLICE = TILE * TILES;

__global__ void sum_tiles(const int *in, int *sums)
{
    __shared__ int tile[TILE];
    tile[threadIdx.x] = in[blockIdx.x * TILE + threadIdx.x];
    for (int stride = TILE / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            tile[threadIdx.x] += tile[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = tile[0];
}

struct pool {
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<int> waiting;
    int done = 0;
    bool closed = false;
};

/* Counts what this thread has done; launches must not change it. */
static thread_local int handled;

static void work(pool *pool, const std::vector<int> *in, std::vector<int> *sums, int *count)
{
    cudaStream_t stream;
    int *device_in = device_alloc<int>(SLICE), *device_sums = device_alloc<int>(TILES);
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (;;) {
        int slice;
        {
            std::unique_lock<std::mutex> lock(pool->mutex);
            pool->changed.wait(lock, [&] { return pool->closed || !pool->waiting.empty(); });
            if (pool->waiting.empty())
                break;
            slice = pool->waiting.front();
            pool->waiting.pop();
        }
        const int *from = in->data() + slice * SLICE;
        CUDA_CHECK(cudaMemcpyAsync(device_in, from, SLICE * sizeof(int), cudaMemcpyHostToDevice, stream));
        sum_tiles<<<TILES, TILE, 0, stream>>>(device_in, device_sums);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(sums->data() + slice * TILES, device_sums, TILES * sizeof(int),
                                   cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        handled++;
        std::lock_guard<std::mutex> lock(pool->mutex);
        pool->done++;
        pool->changed.notify_all();
    }
    *count = handled;
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(device_in));
    CUDA_CHECK(cudaFree(device_sums));
}

int main()
{
    const std::vector<int> in = random_ints(SLICES * SLICE, 1000, 5);
    std::vector<int> sums(SLICES * TILES), want(SLICES * TILES);
    int counts[WORKERS];
    pool pool;

    std::vector<std::thread> workers;
    for (int i = 0; i < WORKERS; i++)
        workers.emplace_back(work, &pool, &in, &sums, &counts[i]);
    for (int slice = 0; slice < SLICES; slice++) {
        std::lock_guard<std::mutex> lock(pool.mutex);
        pool.waiting.push(slice);
        pool.changed.notify_all();
    }
    {
        std::unique_lock<std::mutex> lock(pool.mutex);
        pool.changed.wait(lock, [&] { return pool.done == SLICES; });
        pool.closed = true;
        pool.changed.notify_all();
    }
    for (std::thread &worker : workers)
        worker.join();

    int total = 0;
    for (int count : counts)
        total += count;
    for (int i = 0; i < SLICES * SLICE; i++)
        want[i / TILE] += in[i];
    expect_equal("sums of tiles", sums, want);
    expect_number("slices by all workers", total, SLICES);
    return program_end();
}
