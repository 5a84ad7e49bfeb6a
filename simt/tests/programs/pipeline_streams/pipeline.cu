#include "pipeline.hpp"
#include "cudacheck.h"
#include <memory>

__global__ void kernel(float *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)i;
    a[i] = a[i] * 2.0f + x;
}

struct Pipeline::Impl {
    std::vector<cudaStream_t> streams;
    std::vector<cudaEvent_t> events;
};

static void CUDART_CB finished(void *data)
{
    Stage *stage = static_cast<Stage *>(data);
    stage->done->fetch_add(stage->count);
}

static void CUDART_CB oldCallback(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    if (checkCuda(status) == cudaSuccess)
        static_cast<std::atomic<int> *>(data)->fetch_add(1000000);
}

Pipeline::Pipeline(int n) : impl(new Impl)
{
    int least, greatest;
    checkCuda(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    impl->streams.resize(n);
    impl->events.resize(n + 1);
    for (int i = 0; i < n; ++i)
        checkCuda(cudaStreamCreateWithPriority(&impl->streams[i], cudaStreamNonBlocking, i % 2 ? least : greatest));
    for (cudaEvent_t &e : impl->events)
        checkCuda(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
}

Pipeline::~Pipeline()
{
    for (cudaStream_t s : impl->streams)
        checkCuda(cudaStreamDestroy(s));
    for (cudaEvent_t e : impl->events)
        checkCuda(cudaEventDestroy(e));
    delete impl;
}

int Pipeline::run(float *a, float *d_a, int n, const std::function<void(const Stage &)> &launched)
{
    static std::atomic<int> done{0};
    const int nStreams = impl->streams.size(), streamSize = n / nStreams, streamBytes = streamSize * sizeof(float);
    std::vector<std::unique_ptr<Stage>> stages;
    for (int i = 0; i < nStreams; ++i)
        stages.emplace_back(new Stage{i * streamSize, streamSize, i, &done});

    // breadth first, which suits devices with one copy engine
    for (auto &s : stages)
        checkCuda(cudaMemcpyAsync(&d_a[s->offset], &a[s->offset], streamBytes, cudaMemcpyHostToDevice, impl->streams[s->index]));
    for (auto &s : stages) {
        kernel<<<streamSize / 64, 64, 0, impl->streams[s->index]>>>(d_a, s->offset);
        checkCuda(cudaEventRecord(impl->events[s->index], impl->streams[s->index]));
        launched(*s);
    }
    for (auto &s : stages) {
        checkCuda(cudaMemcpyAsync(&a[s->offset], &d_a[s->offset], streamBytes, cudaMemcpyDeviceToHost, impl->streams[s->index]));
        checkCuda(cudaLaunchHostFunc(impl->streams[s->index], finished, s.get()));
    }
    // the first stream waits for all others and processes everything once more
    for (int i = 1; i < nStreams; ++i) {
        checkCuda(cudaEventRecord(impl->events[i], impl->streams[i]));
        checkCuda(cudaStreamWaitEvent(impl->streams[0], impl->events[i], 0));
    }
    kernel<<<n / 64, 64, 0, impl->streams[0]>>>(d_a, 0);
    checkCuda(cudaMemcpyAsync(a, d_a, n * sizeof(float), cudaMemcpyDeviceToHost, impl->streams[0]));
    checkCuda(cudaStreamAddCallback(impl->streams[0], oldCallback, &done, 0));
    checkCuda(cudaStreamSynchronize(impl->streams[0]));
    checkCuda(cudaDeviceSynchronize());
    for (cudaStream_t s : impl->streams)
        if (cudaStreamQuery(s) != cudaSuccess)
            return -1;
    return done.exchange(0);
}
