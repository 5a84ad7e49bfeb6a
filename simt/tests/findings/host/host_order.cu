/* Streams, events, host code, and memory that host and device share. */
#include "pair.h"

enum { BYTES = 32 * sizeof(int) };

__global__ void fill(int *data, int value)
{
    data[threadIdx.x] = value + (int)threadIdx.x;
}

__global__ void add_to(int *out, const int *in)
{
    out[threadIdx.x] += in[threadIdx.x];
}

static cudaStream_t new_stream()
{
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

static cudaEvent_t new_event()
{
    cudaEvent_t event;
    must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

/* The third of three streams must wait for both others, not only for one.
 * expect: race on */
__global__ void first_half(int *data)
{
    data[threadIdx.x] = 1;
}
__global__ void second_half(int *data)
{
    data[32 + threadIdx.x] = 2; //! writes
}
__global__ void both_halves(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x]; //! reads
}
PAIR(join_of_one_stream_of_two)
{
    int *data = zeros<int>(64), *out = zeros<int>(64);
    cudaStream_t one = new_stream(), two = new_stream(), three = new_stream();
    cudaEvent_t done[2] = {new_event(), new_event()};
    must(cudaDeviceSynchronize());
    first_half<<<1, 32, 0, one>>>(data);
    must(cudaEventRecord(done[0], one));
    second_half<<<1, 32, 0, two>>>(data);
    must(cudaEventRecord(done[1], two));
    must(cudaStreamWaitEvent(three, done[0], 0));
    if (!faulty)
        must(cudaStreamWaitEvent(three, done[1], 0));
    both_halves<<<1, 64, 0, three>>>(data, out);
}

/* The wait comes after the launch that it should precede.
 * expect: race on */
__global__ void produce(int *data)
{
    data[threadIdx.x] = 1; //! writes
}
__global__ void consume(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x]; //! reads
}
PAIR(wait_after_the_launch)
{
    int *data = zeros<int>(32), *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    cudaEvent_t done = new_event();
    must(cudaDeviceSynchronize());
    produce<<<1, 32, 0, one>>>(data);
    must(cudaEventRecord(done, one));
    if (!faulty)
        must(cudaStreamWaitEvent(two, done, 0));
    consume<<<1, 32, 0, two>>>(data, out);
    must(cudaStreamWaitEvent(two, done, 0));
}

/* Two buffers in turn: the copy into one must wait for the kernel that last read it.
 * expect: race on */
__global__ void use(const int *buffer, int *out)
{
    out[threadIdx.x] += buffer[threadIdx.x]; //! reads
}
PAIR(buffer_reused_too_early)
{
    int *buffer[2] = {zeros<int>(32), zeros<int>(32)}, *out = zeros<int>(32), *pinned;
    cudaStream_t copies = new_stream(), kernels = new_stream();
    cudaEvent_t filled = new_event(), used[2] = {new_event(), new_event()};
    must(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 0, BYTES);
    must(cudaDeviceSynchronize());
    for (int round = 0; round < 4; round++) {
        if (!faulty && round >= 2)
            must(cudaStreamWaitEvent(copies, used[round % 2], 0));
        must(cudaMemcpyAsync(buffer[round % 2], pinned, BYTES, cudaMemcpyHostToDevice, copies)); //! fills
        must(cudaEventRecord(filled, copies));
        must(cudaStreamWaitEvent(kernels, filled, 0));
        use<<<1, 32, 0, kernels>>>(buffer[round % 2], out);
        must(cudaEventRecord(used[round % 2], kernels));
    }
}

/* Host code waits for the wrong one of two streams.
 * expect: race on */
__global__ void answer(int *mapped)
{
    *mapped = 42; //! writes
}
PAIR(wait_for_another_stream)
{
    int *pinned;
    cudaStream_t one = new_stream(), two = new_stream();
    must(cudaMallocHost((void **)&pinned, sizeof(int)));
    *pinned = 0;
    answer<<<1, 1, 0, one>>>(pinned);
    must(cudaStreamSynchronize(faulty ? two : one));
    printf("%d\n", *pinned); //! reads
}

/* Host code may access managed memory again after it has waited for the device.
 * expect: race on */
__global__ void double_all(int *data)
{
    data[threadIdx.x] *= 2; //! both
}
PAIR(managed_memory_written_beside_a_kernel)
{
    int *data;
    must(cudaMallocManaged((void **)&data, BYTES));
    for (int i = 0; i < 32; i++)
        data[i] = i;
    double_all<<<1, 32>>>(data);
    if (!faulty)
        must(cudaDeviceSynchronize());
    data[3] = 1; //! host
    must(cudaDeviceSynchronize());
}

/* A host function is ordered in its own stream, but not in others.
 * expect: race on */
static void CUDART_CB prepare(void *data)
{
    for (int i = 0; i < 32; i++)
        ((int *)data)[i] = i; //! prepares
}
__global__ void take(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x]; //! takes
}
PAIR(host_function_of_another_stream)
{
    int *pinned, *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    must(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 0, BYTES);
    must(cudaDeviceSynchronize());
    must(cudaLaunchHostFunc(one, prepare, pinned));
    take<<<1, 32, 0, faulty ? two : one>>>(pinned, out);
}

/* A copy into a __device__ variable, while a kernel in another stream reads it.
 * expect: race on __device__ limit */
__device__ int limit;
__global__ void clamp(int *data)
{
    if (data[threadIdx.x] > limit) //! reads
        data[threadIdx.x] = 0;
}
PAIR(symbol_set_beside_a_kernel)
{
    int *data = zeros<int>(32), *value;
    cudaStream_t one = new_stream(), two = new_stream(), stream;
    must(cudaMallocHost((void **)&value, sizeof(int)));
    *value = 9;
    must(cudaDeviceSynchronize());
    clamp<<<1, 32, 0, one>>>(data);
    stream = faulty ? two : one;
    must(cudaMemcpyToSymbolAsync(limit, value, sizeof limit, 0, cudaMemcpyHostToDevice, stream)); //! sets
}

/* An event that is recorded again covers the later work from then on; an earlier wait still waits for the earlier work.
 * expect: race on */
__global__ void write_again(int *data)
{
    data[threadIdx.x] = 2; //! writes
}
__global__ void read_all(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x]; //! reads
}
PAIR(event_recorded_again_after_the_wait)
{
    int *data = zeros<int>(32), *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    cudaEvent_t done = new_event();
    must(cudaDeviceSynchronize());
    fill<<<1, 32, 0, one>>>(data, 1);
    must(cudaEventRecord(done, one));
    if (faulty)
        must(cudaStreamWaitEvent(two, done, 0));
    write_again<<<1, 32, 0, one>>>(data);
    must(cudaEventRecord(done, one));
    if (!faulty)
        must(cudaStreamWaitEvent(two, done, 0));
    read_all<<<1, 32, 0, two>>>(data, out);
}

/* A query that returns "not ready" orders nothing: host code must ask until it returns something else.
 * expect: race on */
__global__ void fill_mapped(int *mapped)
{
    mapped[threadIdx.x] = 1; //! writes
}
PAIR(event_asked_for_once)
{
    int *pinned;
    cudaStream_t stream = new_stream();
    cudaEvent_t done = new_event();
    must(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 0, BYTES);
    if (faulty)
        must(cudaEventRecord(done, stream));
    fill_mapped<<<1, 32, 0, stream>>>(pinned);
    if (!faulty)
        must(cudaEventRecord(done, stream));
    while (cudaEventQuery(done) == cudaErrorNotReady)
        ;
    printf("%d\n", pinned[5]); //! reads
}

/* Two streams write two halves: they may share the array, but not an element.
 * expect: race on */
__global__ void write_part(int *part, int value)
{
    part[threadIdx.x] = value; //! both
}
PAIR(halves_that_share_an_element)
{
    int *data = zeros<int>(64);
    cudaStream_t one = new_stream(), two = new_stream();
    must(cudaDeviceSynchronize());
    write_part<<<1, faulty ? 33 : 32, 0, one>>>(data, 1);
    write_part<<<1, 32, 0, two>>>(data + 32, 2);
}

/* Memory that is allocated in a stream's order exists for that stream, and after an event for others.
 * expect: race on */
__global__ void write_pool(int *data)
{
    data[threadIdx.x] = 3; //! writes
}
__global__ void sum_pool(const int *data, int *out)
{
    out[threadIdx.x] += data[threadIdx.x]; //! reads
}
PAIR(allocation_of_another_stream)
{
    int *data, *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    cudaEvent_t ready = new_event();
    must(cudaDeviceSynchronize());
    must(cudaMallocAsync((void **)&data, BYTES, one));
    write_pool<<<1, 32, 0, one>>>(data);
    must(cudaEventRecord(ready, one));
    if (!faulty)
        must(cudaStreamWaitEvent(two, ready, 0));
    sum_pool<<<1, 32, 0, two>>>(data, out);
}

/* The memory is freed in a stream that does not wait for the kernel that uses it.
 * expect: race on */
__global__ void last_use(const int *data, int *out)
{
    out[threadIdx.x] += data[threadIdx.x]; //! reads
}
PAIR(freed_in_another_stream)
{
    int *data, *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    cudaEvent_t used = new_event();
    must(cudaMallocAsync((void **)&data, BYTES, one));
    must(cudaMemsetAsync(data, 0, BYTES, one));
    must(cudaStreamSynchronize(one));
    last_use<<<1, 32, 0, one>>>(data, out);
    must(cudaEventRecord(used, one));
    if (!faulty)
        must(cudaStreamWaitEvent(two, used, 0));
    must(cudaFreeAsync(data, two)); //! frees
}
