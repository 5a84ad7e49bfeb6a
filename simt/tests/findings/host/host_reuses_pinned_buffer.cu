/* The source of an asynchronous copy must not be changed until host code has waited for the stream.
 * expect: race on */
#include "pair.h"

PAIR(host_reuses_pinned_buffer)
{
    int *device = zeros<int>(32), *pinned = NULL;
    cudaStream_t stream;
    must(cudaMallocHost((void **)&pinned, 32 * sizeof(int)));
    memset(pinned, 0, 32 * sizeof(int));
    must(cudaStreamCreate(&stream));
    must(cudaMemcpyAsync(device, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, stream)); //! copy
    if (!faulty)
        must(cudaStreamSynchronize(stream));
    pinned[5] = 1; //! write
}
