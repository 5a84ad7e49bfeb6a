/* Two kernels in two streams need an event that one stream records and the other waits for. The device keeps the order of
 * these streams where it kept that of two others, which were destroyed after their work.
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

PAIR(streams_without_event)
{
    int *data = zeros<int>(32), *out = zeros<int>(32);
    cudaStream_t first, second;
    cudaEvent_t done;
    must(cudaStreamCreate(&first));
    must(cudaStreamCreate(&second));
    must(cudaEventCreate(&done));
    produce<<<1, 32, 0, first>>>(out);
    produce<<<1, 32, 0, second>>>(data);
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(first));
    must(cudaStreamDestroy(second));
    must(cudaStreamCreate(&first));
    must(cudaStreamCreate(&second));
    produce<<<1, 32, 0, first>>>(data);
    if (!faulty) {
        must(cudaEventRecord(done, first));
        must(cudaStreamWaitEvent(second, done, 0));
    }
    consume<<<1, 32, 0, second>>>(data, out);
}

//= streams_without_event.cu:13  consume: race on byte 0 of an allocation
//=     thread 0 of block 0 of produce, launched at line 31 into stream 1, writes it at line 8, thread 0 of block 0 of consume, launched at line 36 into stream 2, reads it at line 13, and nothing orders the two streams
//=     try: put both into one stream, or cudaEventRecord() after the first and cudaStreamWaitEvent() before the second
