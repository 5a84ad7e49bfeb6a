// Accepted by nvcc: names of headers that are not included, PTX for other devices, a __device__ variable of one name in each file, a launch in a
// header that is included in both ways, an array from new, a return without a value.
#include "by_angles.h"
#include <by_angles.h>
#include <cstdio>
#include <omp.h>

__device__ int counter = 7;

__device__ int sign(int x)
{
    if (x > 0)
        return 1;
    return;
}

template <class T> __global__ void read_counter(int *out, int n)
{
    T *numbers = new T[n];
    numbers[0] = counter;
    *out = numbers[0] * sign(n);
    delete[] numbers;
#ifdef PTX
    asm volatile("mov.u32 %0, %laneid;" : "=r"(*out));
#endif
}
void launch_other(int *out);

int main()
{
    int *out, first = 0, second = 0, threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += omp_get_thread_num() == 0;
    cudaMalloc(&out, sizeof *out);
    read_counter<int><<<1, 1>>>(out, 4);
    launch_by_angles(out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    launch_other(out);
    cudaMemcpy(&second, out, sizeof second, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%d %d %d %d %d\n", INT_MAX, std::min(first, 300), threads, first, second);
}
