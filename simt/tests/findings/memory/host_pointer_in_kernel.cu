#include <stdlib.h>

__global__ void add(int *data)
{
    data[threadIdx.x] += 1;
}

int main()
{
    int *data = (int *)calloc(32, sizeof(int));
    add<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
