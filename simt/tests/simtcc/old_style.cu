// As older programs are written: launches with blanks in them, default arguments, braces, local statics, std::atomic.
#include "old_style.h"
#include <atomic>
#include <stdio.h>
#include <string>

#ifndef __CUDA_RUNTIME_H__
#error "headers ask for this name"
#endif

struct point {
    int x, y;
};

__global__ void shift(int *to, int by = 3)
{
    to[threadIdx.x] += by;
}

__global__ void add_point(int *to, point p)
{
    to[threadIdx.x] += p.x * p.y;
}

__global__ void aligned(int *to)
{
    __shared__ alignas(16) int buffer[32];
    extern __shared__ int sized[32];
    buffer[threadIdx.x] = to[threadIdx.x];
    sized[threadIdx.x] = 1;
    __syncthreads();
    to[threadIdx.x] = buffer[31 - threadIdx.x] + sized[0];
}

static std::atomic<int> launches{0};

static const std::string &name()
{
    static const std::string once("old style");
    return once;
}

int main()
{
    int *numbers, host[32];
    cudaMalloc(&numbers, sizeof host);
    fill_from_header(numbers);
    shift << <1, 32>> >(numbers);
    shift<< < dim3(1), dim3(32) >> >(numbers, 4);
    launches += 2;
    add_point<<<1, 32>>>(numbers, {2, 5});
    aligned<<<1, 32>>>(numbers);
    launches.fetch_add(2);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s: %d launches, %d to %d\n", name().c_str(), launches.load(), host[0], host[31]);
    return cudaFree(numbers);
}
