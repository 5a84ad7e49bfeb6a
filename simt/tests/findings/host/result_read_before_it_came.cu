/* A result that is copied asynchronously to pinned memory may be read after waiting for the stream.
 * expect: race on */
#include "pair.h"

__global__ void produce(int *data)
{
    data[threadIdx.x] = 1;
}

PAIR(result_read_before_it_came)
{
    int *data = zeros<int>(32), *pinned = NULL;
    cudaStream_t stream;
    must(cudaMallocHost((void **)&pinned, 32 * sizeof(int)));
    must(cudaStreamCreate(&stream));
    produce<<<1, 32, 0, stream>>>(data);
    must(cudaMemcpyAsync(pinned, data, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream)); //! copy
    if (!faulty)
        must(cudaStreamSynchronize(stream));
    printf("%d\n", pinned[3]); //! read
}
