/* A launch comes back at once: host code must wait before it reads what the kernel writes.
 * expect: race on */
#include "pair.h"

__global__ void produce(int *data)
{
    data[threadIdx.x] = 1; //! write
}

PAIR(host_reads_managed_memory)
{
    int *data = NULL;
    must(cudaMallocManaged((void **)&data, 32 * sizeof(int)));
    produce<<<1, 32>>>(data);
    if (!faulty)
        must(cudaDeviceSynchronize());
    printf("%d\n", data[7]); //! read
}
