/* Graphs that are captured from streams: a chain that is launched many times, a fork into a second stream and back, copies,
 * fills and host functions, and what a capture refuses to hold. */
#include "program.h"

__global__ void scale(int *values, int n, int factor)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] *= factor;
}

__global__ void add(int *to, const int *from, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] += from[i];
}

template <class T> __global__ void fill(T *to, int n, T value)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = value;
}

static void CUDART_CB count(void *number)
{
    ++*(int *)number;
}

enum { N = 1000 };

/* x = 3x + 1 as one graph of two kernels, launched several times. */
static void chain(cudaStream_t stream)
{
    int *x, *ones, out[N];
    CUDA_CHECK(cudaMalloc(&x, N * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&ones, N * sizeof(int)));
    fill<<<1, 128>>>(x, N, 1);
    fill<<<1, 128>>>(ones, N, 1);
    CUDA_CHECK(cudaDeviceSynchronize());

    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamCaptureStatus status;
    int factor = 3;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    scale<<<(N + 127) / 128, 128, 0, stream>>>(x, N, factor);
    factor = 100; /* the graph has the value of the time of the capture */
    add<<<(N + 127) / 128, 128, 0, stream>>>(x, ones, N);
    CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    printf("capturing: %d\n", status == cudaStreamCaptureStatusActive);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA_CHECK(cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost));
    printf("%zu nodes; before the first launch x is %d\n", nodes, out[N - 1]);
    CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    for (int i = 0; i < 5; i++)
        CUDA_CHECK(cudaGraphLaunch(instance, stream));
    CUDA_CHECK(cudaMemcpyAsync(out, x, sizeof out, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    printf("after five: %d %d\n", out[0], out[N - 1]);
    CUDA_CHECK(cudaGraphExecDestroy(instance));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(ones));
}

/* Two streams work on halves, and the first one adds them up. */
static void fork(cudaStream_t first, cudaStream_t second)
{
    int *a, *b, *host_in, *host_out, calls = 0;
    CUDA_CHECK(cudaMalloc(&a, N * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&b, N * sizeof(int)));
    CUDA_CHECK(cudaMallocHost(&host_in, N * sizeof(int)));
    CUDA_CHECK(cudaMallocHost(&host_out, N * sizeof(int)));
    cudaEvent_t begun, done;
    CUDA_CHECK(cudaEventCreate(&begun));
    CUDA_CHECK(cudaEventCreate(&done));

    cudaGraph_t graph;
    cudaGraphExec_t instance;
    CUDA_CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaMemcpyAsync(a, host_in, N * sizeof(int), cudaMemcpyHostToDevice, first));
    CUDA_CHECK(cudaEventRecord(begun, first));
    CUDA_CHECK(cudaStreamWaitEvent(second, begun, 0));
    CUDA_CHECK(cudaMemsetAsync(b, 0, N * sizeof(int), second));
    add<<<8, 128, 0, second>>>(b, a, N);
    scale<<<8, 128, 0, second>>>(b, N, 10);
    CUDA_CHECK(cudaEventRecord(done, second));
    CUDA_CHECK(cudaStreamWaitEvent(first, done, 0));
    add<<<8, 128, 0, first>>>(a, b, N);
    CUDA_CHECK(cudaMemcpyAsync(host_out, a, N * sizeof(int), cudaMemcpyDeviceToHost, first));
    CUDA_CHECK(cudaLaunchHostFunc(first, count, &calls));
    CUDA_CHECK(cudaStreamEndCapture(first, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&instance, graph));
    printf("host functions so far: %d\n", calls);
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < N; i++)
            host_in[i] = i * round;
        CUDA_CHECK(cudaGraphLaunch(instance, round == 2 ? second : first));
        CUDA_CHECK(cudaDeviceSynchronize());
        printf("round %d: %d %d, %d calls\n", round, host_out[1], host_out[N - 1], calls);
    }
    CUDA_CHECK(cudaGraphExecDestroy(instance));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaEventDestroy(begun));
    CUDA_CHECK(cudaEventDestroy(done));
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFreeHost(host_in));
    CUDA_CHECK(cudaFreeHost(host_out));
}

int main()
{
    cudaStream_t first, second;
    CUDA_CHECK(cudaStreamCreate(&first));
    CUDA_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    chain(first);
    fork(first, second);
    CUDA_CHECK(cudaStreamDestroy(first));
    CUDA_CHECK(cudaStreamDestroy(second));
    return program_end();
}
