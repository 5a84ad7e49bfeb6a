/* A non-blocking stream does not wait for the default stream.
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

PAIR(stream_that_is_non_blocking)
{
    int *data = zeros<int>(32), *out = zeros<int>(32);
    cudaStream_t other;
    must(cudaStreamCreateWithFlags(&other, faulty ? cudaStreamNonBlocking : cudaStreamDefault));
    must(cudaDeviceSynchronize());
    produce<<<1, 32>>>(data);
    consume<<<1, 32, 0, other>>>(data, out);
}
