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

//= host_pointer_in_kernel.cu:5  add: read of host memory in a kernel
//=     thread 0 of block 0 reads 4 bytes; it is no address of the device
//=     the kernel ends here
//=     try: copy the data into memory from cudaMalloc and pass that pointer to the kernel
