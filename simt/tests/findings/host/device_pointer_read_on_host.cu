#include <stdio.h>

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    printf("%d\n", data[5]);
    return 0;
}

//= device_pointer_read_on_host.cu:8  main: host code reads device memory: data[5]
//=     it comes from cudaMalloc, and only kernels can reach it
//=     try: copy it to a host array with cudaMemcpy first, or do the work in a kernel
