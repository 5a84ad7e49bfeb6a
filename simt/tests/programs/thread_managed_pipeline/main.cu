/* Host threads that compute while others launch: one fills pieces of managed memory, one runs kernels on them, and one
 * adds up the results. They pass the pieces on through atomic counters, with futures at the end, and keep their own
 * data in thread-local variables. */
#include "../program.h"

#include <atomic>
#include <future>
#include <thread>

static const int PIECES = 10, PIECE = 700, BLOCK = 128;

__global__ void mix(unsigned *piece, int n, unsigned by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        piece[i] = (piece[i] ^ by) * 2654435761u;
}

static thread_local unsigned long long sum;
static thread_local std::vector<unsigned> seen; /* constructed when its thread first uses it */
static std::atomic<int> filled, mixed;

static void wait_for(const std::atomic<int> &counter, int least)
{
    while (counter.load(std::memory_order_acquire) < least)
        std::this_thread::yield();
}

static void fill(unsigned *pieces)
{
    uint32_t state = 7;
    for (int piece = 0; piece < PIECES; piece++) {
        for (int i = 0; i < PIECE; i++)
            pieces[piece * PIECE + i] = random_next(&state);
        filled.store(piece + 1, std::memory_order_release);
    }
}

static void launch(unsigned *pieces)
{
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int piece = 0; piece < PIECES; piece++) {
        wait_for(filled, piece + 1);
        mix<<<blocks_for(PIECE, BLOCK), BLOCK, 0, stream>>>(pieces + piece * PIECE, PIECE, piece);
        CUDA_CHECK(cudaStreamSynchronize(stream));
        seen.push_back(piece);
        mixed.store(piece + 1, std::memory_order_release);
    }
    CUDA_CHECK(cudaStreamDestroy(stream));
    expect_number("pieces of the thread that launches", (long long)seen.size(), PIECES);
}

static unsigned long long add(const unsigned *pieces)
{
    for (int piece = 0; piece < PIECES; piece++) {
        wait_for(mixed, piece + 1);
        for (int i = 0; i < PIECE; i++)
            sum += pieces[piece * PIECE + i];
    }
    return sum;
}

int main()
{
    unsigned *pieces;
    CUDA_CHECK(cudaMallocManaged(&pieces, PIECES * PIECE * sizeof(unsigned)));
    sum = 1;
    std::future<unsigned long long> added = std::async(std::launch::async, add, pieces);
    std::thread filler(fill, pieces), launcher(launch, pieces);
    filler.join();
    launcher.join();

    unsigned long long want = 0;
    uint32_t state = 7;
    for (int i = 0; i < PIECES * PIECE; i++)
        want += (random_next(&state) ^ (unsigned)(i / PIECE)) * 2654435761u;
    expect_number("sum", (long long)added.get(), (long long)want);
    expect_number("of this thread", (long long)sum, 1);
    CUDA_CHECK(cudaFree(pieces));
    return program_end();
}
