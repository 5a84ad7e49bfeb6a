// Accepted by nvcc: names of headers that are not included, PTX for other devices, a __device__ variable of one name in each file.
#include <cstdio>
#include <omp.h>

__device__ int counter = 7;

__global__ void read_counter(int *out)
{
#ifdef PTX
    asm volatile("mov.u32 %0, %laneid;" : "=r"(*out));
#else
    *out = counter;
#endif
}
void launch_other(int *out);

int main()
{
    int *out, first = 0, second = 0, threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += omp_get_thread_num() == 0;
    cudaMalloc(&out, sizeof *out);
    read_counter<<<1, 1>>>(out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    launch_other(out);
    cudaMemcpy(&second, out, sizeof second, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%d %d %d %d %d\n", INT_MAX, std::min(first, 3), threads, first, second);
}
