#ifndef OLD_STYLE_INNER_H
#define OLD_STYLE_INNER_H

__device__ int offset_of_header = 100;

__global__ void fill(int *to);

__global__ void fill(int *to)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    to[threadIdx.x] = buffer[threadIdx.x] + offset_of_header;
}

#endif
