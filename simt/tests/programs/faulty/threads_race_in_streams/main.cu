#include <atomic>
#include <thread>

#include "fill.cuh"

static const int N = 512;

/* Both threads fill the same array. The second one launches after the first, but nothing orders the streams. */
static void launch(cudaStream_t stream, float *values, int turn, std::atomic<int> *turns)
{
    while (*turns != turn)
        std::this_thread::yield();
    fill<<<N / 128, 128, 0, stream>>>(values, turn, N);
    ++*turns;
}

int main()
{
    float *values;
    cudaStream_t streams[2];
    std::atomic<int> turns(1);
    cudaMalloc(&values, N * sizeof(float));
    for (cudaStream_t &stream : streams)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    std::thread first(launch, streams[0], values, 1, &turns), second(launch, streams[1], values, 2, &turns);
    first.join();
    second.join();
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams)
        cudaStreamDestroy(stream);
    cudaFree(values);
    return 0;
}
