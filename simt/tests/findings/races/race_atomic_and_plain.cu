/* A counter to which some threads add atomically and that one sets with a plain write. */
#include <cuda_runtime.h>

__global__ void count(int *total)
{
    if (threadIdx.x == 40)
        *total = 0;
    else
        atomicAdd(total, 1);
}

int main()
{
    int *total;
    cudaMalloc(&total, sizeof(int));
    count<<<1, 64>>>(total);
    return cudaDeviceSynchronize();
}

//= race_atomic_and_plain.cu:9  count: race on total[0]
//=     thread 40 writes it at line 7, thread 0 writes it atomically at line 9, and no barrier stands between
//=     try: __syncthreads() between the two, or make both accesses atomic
