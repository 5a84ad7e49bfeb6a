/* Streams, events and memory of every kind: work in order within a stream, one stream waiting for another's event,
 * asynchronous copies from pinned memory, managed memory, device-to-device copies, memset, pointer arithmetic. */
#include "program.h"

#define STREAMS 3

__global__ void scale_and_add(int *data, int n, int factor, int addend)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = data[i] * factor + addend;
}

__global__ void add_arrays(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__managed__ int managed_counter = 5;
__managed__ float managed_table[4] = {1.0f, 2.0f, 4.0f, 8.0f};

__global__ void use_managed(int *list)
{
    atomicAdd(&managed_counter, (int)managed_table[threadIdx.x & 3]);
    list[threadIdx.x] *= 3;
}

int main()
{
    const int n = 4000, chunk = n / STREAMS + 1;
    int *pinned = NULL, *results = NULL, *device = NULL;
    cudaStream_t streams[STREAMS];
    cudaEvent_t begin, end, ready;

    CUDA_CHECK(cudaMallocHost(&pinned, n * sizeof(int)));
    CUDA_CHECK(cudaHostAlloc((void **)&results, n * sizeof(int), cudaHostAllocDefault));
    CUDA_CHECK(cudaMalloc((void **)&device, n * sizeof(int)));
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    CUDA_CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    for (int i = 0; i < n; i++)
        pinned[i] = i * 7 - 1000;

    CUDA_CHECK(cudaEventRecord(begin, 0));
    for (int s = 0; s < STREAMS; s++) {
        const int first = s * chunk, count = n - first < chunk ? n - first : chunk;
        CUDA_CHECK(cudaStreamCreate(&streams[s]));
        CUDA_CHECK(cudaMemcpyAsync(device + first, pinned + first, count * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
        scale_and_add<<<4, 128, 0, streams[s]>>>(device + first, count, 3, s);
        scale_and_add<<<2, 64, 0, streams[s]>>>(device + first, count, 1, 10);
        CUDA_CHECK(cudaMemcpyAsync(results + first, device + first, count * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
    }
    for (int s = 0; s < STREAMS; s++) {
        CUDA_CHECK(cudaStreamSynchronize(streams[s]));
        CUDA_CHECK(cudaStreamQuery(streams[s]));
    }
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventQuery(end));
    float milliseconds = -1.0f;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    expect_true("time does not run backwards", milliseconds >= 0.0f);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = (i * 7 - 1000) * 3 + i / chunk + 10;
    expect_equal("three streams", results, want.data(), n);

    /* Stream 1 waits for the result of stream 0. */
    int *other = device_alloc<int>(n), *sum = device_alloc<int>(n);
    CUDA_CHECK(cudaMemsetAsync(other, 0, n * sizeof(int), streams[0]));
    scale_and_add<<<8, 64, 0, streams[0]>>>(other, n, 1, 42);
    CUDA_CHECK(cudaEventRecord(ready, streams[0]));
    CUDA_CHECK(cudaStreamWaitEvent(streams[1], ready, 0));
    add_arrays<<<blocks_for(n, 256), 256, 0, streams[1]>>>(device, other, sum, n);
    CUDA_CHECK(cudaMemcpyAsync(results, sum, n * sizeof(int), cudaMemcpyDefault, streams[1]));
    CUDA_CHECK(cudaStreamSynchronize(streams[1]));
    for (int i = 0; i < n; i++)
        want[i] += 42;
    expect_equal("one stream after another", results, want.data(), n);

    /* Device to device, with pieces of one allocation that do not overlap. */
    CUDA_CHECK(cudaMemcpy(device + 1000, sum, 1000 * sizeof(int), cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemset(device + 10, 0x01, 4 * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(results, device, 2000 * sizeof(int), cudaMemcpyDeviceToHost));
    expect_number("copied on the device", results[1000], want[0]);
    expect_number("set by bytes", results[12], 0x01010101);

    /* Managed: the same pointer on both sides. */
    int *list = NULL;
    CUDA_CHECK(cudaMallocManaged(&list, 32 * sizeof(int)));
    for (int i = 0; i < 32; i++)
        list[i] = i;
    managed_counter += 100;
    use_managed<<<1, 32, 0, streams[2]>>>(list);
    CUDA_CHECK(cudaDeviceSynchronize());
    expect_number("managed variable", managed_counter, 105 + 8 * 15);
    int list_want[32];
    for (int i = 0; i < 32; i++)
        list_want[i] = 3 * i;
    expect_equal("managed list", list, list_want, 32);

    cudaStream_t quiet;
    CUDA_CHECK(cudaStreamCreateWithFlags(&quiet, cudaStreamNonBlocking));
    scale_and_add<<<1, 32, 0, quiet>>>(sum, n, 0, 9);
    CUDA_CHECK(cudaStreamSynchronize(quiet));
    expect_equal("a stream that does not block", from_device(sum, n), std::vector<int>(n, 9));
    CUDA_CHECK(cudaStreamDestroy(quiet));

    for (cudaStream_t stream : streams)
        CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    CUDA_CHECK(cudaEventDestroy(ready));
    CUDA_CHECK(cudaFreeHost(pinned));
    CUDA_CHECK(cudaFreeHost(results));
    CUDA_CHECK(cudaFree(list));
    CUDA_CHECK(cudaFree(device));
    CUDA_CHECK(cudaFree(other));
    CUDA_CHECK(cudaFree(sum));
    return program_end();
}
