/* Two kernels in two streams need an event that one stream records and the other waits for.
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
    produce<<<1, 32, 0, first>>>(data);
    if (!faulty) {
        must(cudaEventRecord(done, first));
        must(cudaStreamWaitEvent(second, done, 0));
    }
    consume<<<1, 32, 0, second>>>(data, out);
}

//= streams_without_event.cu:12  consume: race on byte 0 of an allocation
//=     thread 0 of block 0 of produce, launched at line 23 into stream 1, writes it at line 7, thread 0 of block 0 of consume, launched at line 28 into stream 2, reads it at line 12, and nothing orders the two streams
//=     try: put both into one stream, or cudaEventRecord() after the first and cudaStreamWaitEvent() before the second
