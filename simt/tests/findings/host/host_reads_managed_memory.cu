/* A launch returns at once: host code must wait before it reads what the kernel writes.
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

//= host_reads_managed_memory.cu:17  pair_host_reads_managed_memory: race on data[7]
//=     thread 7 of block 0 of produce, launched at line 14 into the default stream, writes it at line 7, host code reads it at line 17, and host code does not wait for it
//=     try: cudaDeviceSynchronize() or cudaStreamSynchronize() before host code touches it
