/* An asynchronous copy in another stream overwrites what the kernel reads.
 * expect: race on */
#include "pair.h"

__global__ void consume(const int *data, int *out)
{
    out[threadIdx.x] = data[threadIdx.x]; //! read
}

PAIR(copy_beside_a_kernel)
{
    int *data = zeros<int>(32), *out = zeros<int>(32), *next = NULL;
    cudaStream_t kernels, copies;
    must(cudaMallocHost((void **)&next, 32 * sizeof(int)));
    memset(next, 0, 32 * sizeof(int));
    must(cudaStreamCreate(&kernels));
    must(cudaStreamCreate(&copies));
    consume<<<1, 32, 0, kernels>>>(data, out);
    if (!faulty)
        must(cudaStreamSynchronize(kernels));
    must(cudaMemcpyAsync(data, next, 32 * sizeof(int), cudaMemcpyHostToDevice, copies)); //! copy
}
