/* An event covers the work that is in the stream when it is recorded.
 * expect: race on */
#include "pair.h"

__global__ void produce(int *data)
{
    data[threadIdx.x] = 1; //! write
}

__global__ void consume(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x]; //! read
}

PAIR(event_recorded_too_early)
{
    int *data = zeros<int>(32), *out = zeros<int>(32);
    cudaStream_t first, second;
    cudaEvent_t done;
    must(cudaStreamCreate(&first));
    must(cudaStreamCreate(&second));
    must(cudaEventCreate(&done));
    if (faulty)
        must(cudaEventRecord(done, first));
    produce<<<1, 32, 0, first>>>(data);
    if (!faulty)
        must(cudaEventRecord(done, first));
    must(cudaStreamWaitEvent(second, done, 0));
    consume<<<1, 32, 0, second>>>(data, out);
}
