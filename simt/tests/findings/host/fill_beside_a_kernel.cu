/* A memset in one stream clears counters that a kernel in another stream increments.
 * expect: race on */
#include "pair.h"

__global__ void count(int *counters)
{
    atomicAdd(&counters[threadIdx.x % 4], 1); //! atomic
}

PAIR(fill_beside_a_kernel)
{
    int *counters = zeros<int>(4);
    cudaStream_t fills, kernels;
    must(cudaStreamCreate(&fills));
    must(cudaStreamCreate(&kernels));
    must(cudaMemsetAsync(counters, 0, 4 * sizeof(int), fills)); //! fill
    count<<<1, 32, 0, faulty ? kernels : fills>>>(counters);
}
