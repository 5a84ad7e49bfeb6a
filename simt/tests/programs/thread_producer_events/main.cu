/* One thread copies and another launches, and two buffers alternate between them. One event says that a buffer is full,
 * another that it can be filled again; the threads exchange how many are recorded. A callback of the stream counts the
 * finished pieces under the mutex of both threads. */
#include "../program.h"

#include <condition_variable>
#include <mutex>
#include <thread>

static const int BUFFERS = 2, PIECES = 12, PIECE = 1000, BLOCK = 256;

__global__ void add_squares(const int *piece, int *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sums[i] += piece[i] * piece[i];
}

struct belt {
    std::mutex mutex;
    std::condition_variable moved;
    int filled = 0, used = 0, told = 0; /* pieces */
    cudaEvent_t full[BUFFERS], empty[BUFFERS];
    int *device[BUFFERS];
    int *pinned; /* all pieces */

    void pass(int &counter)
    {
        std::lock_guard<std::mutex> lock(mutex);
        counter++;
        moved.notify_all();
    }
    void wait_until(const int &counter, int least)
    {
        std::unique_lock<std::mutex> lock(mutex);
        moved.wait(lock, [&] { return counter >= least; });
    }
};

static void fill(belt *belt)
{
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int piece = 0; piece < PIECES; piece++) {
        const int buffer = piece % BUFFERS;
        if (piece >= BUFFERS) {
            belt->wait_until(belt->used, piece - BUFFERS + 1);
            CUDA_CHECK(cudaStreamWaitEvent(stream, belt->empty[buffer], 0));
        }
        CUDA_CHECK(cudaMemcpyAsync(belt->device[buffer], belt->pinned + piece * PIECE, PIECE * sizeof(int),
                                   cudaMemcpyHostToDevice, stream));
        CUDA_CHECK(cudaEventRecord(belt->full[buffer], stream));
        belt->pass(belt->filled);
    }
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

static void tell(void *argument)
{
    belt *used = (belt *)argument;
    used->pass(used->told);
}

int main()
{
    belt belt;
    int *sums = device_alloc<int>(PIECE);
    CUDA_CHECK(cudaMemset(sums, 0, PIECE * sizeof(int)));
    CUDA_CHECK(cudaMallocHost(&belt.pinned, PIECES * PIECE * sizeof(int)));
    const std::vector<int> in = random_ints(PIECES * PIECE, 100, 11);
    for (int i = 0; i < PIECES * PIECE; i++)
        belt.pinned[i] = in[i];
    for (int i = 0; i < BUFFERS; i++) {
        belt.device[i] = device_alloc<int>(PIECE);
        CUDA_CHECK(cudaEventCreateWithFlags(&belt.full[i], cudaEventDisableTiming));
        CUDA_CHECK(cudaEventCreateWithFlags(&belt.empty[i], cudaEventDisableTiming));
    }
    CUDA_CHECK(cudaDeviceSynchronize());

    std::thread producer(fill, &belt);
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int piece = 0; piece < PIECES; piece++) {
        const int buffer = piece % BUFFERS;
        belt.wait_until(belt.filled, piece + 1);
        CUDA_CHECK(cudaStreamWaitEvent(stream, belt.full[buffer], 0));
        add_squares<<<blocks_for(PIECE, BLOCK), BLOCK, 0, stream>>>(belt.device[buffer], sums, PIECE);
        CUDA_CHECK(cudaEventRecord(belt.empty[buffer], stream));
        CUDA_CHECK(cudaLaunchHostFunc(stream, tell, &belt));
        belt.pass(belt.used);
    }
    belt.wait_until(belt.told, PIECES);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    producer.join();

    std::vector<int> want(PIECE);
    for (int i = 0; i < PIECES * PIECE; i++)
        want[i % PIECE] += in[i] * in[i];
    expect_equal("sums of squares", from_device(sums, PIECE), want);
    expect_number("pieces told of", belt.told, PIECES);
    for (int i = 0; i < BUFFERS; i++) {
        CUDA_CHECK(cudaEventDestroy(belt.full[i]));
        CUDA_CHECK(cudaEventDestroy(belt.empty[i]));
        CUDA_CHECK(cudaFree(belt.device[i]));
    }
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFreeHost(belt.pinned));
    CUDA_CHECK(cudaFree(sums));
    return program_end();
}
