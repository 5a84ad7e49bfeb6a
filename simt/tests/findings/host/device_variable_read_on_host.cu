#include <stdio.h>

__device__ int counter;

__global__ void count()
{
    atomicAdd(&counter, 1);
}

int main()
{
    count<<<2, 32>>>();
    cudaDeviceSynchronize();
    printf("%d\n", counter);
    return 0;
}

//= device_variable_read_on_host.cu:14  main: host code reads __device__ variable __device__ counter
//=     on a GPU the host sees only a shadow of it
//=     try: use cudaMemcpyFromSymbol and cudaMemcpyToSymbol
