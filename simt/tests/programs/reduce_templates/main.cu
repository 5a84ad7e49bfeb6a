/* Kernels in templates of a header, picked by a switch of macros; dynamic shared memory through a class. */
#include <stdio.h>
#include <stdlib.h>

#include "reduction_kernel.cuh"

template <class T> static int test(const char *name, int size, int threads)
{
    int blocks = 3;
    T *h_idata = (T *)malloc(size * sizeof(T)), h_odata[8], sum = 0, got = 0;
    T *d_idata = NULL, *d_odata = NULL;
    for (int i = 0; i < size; i++)
        sum += h_idata[i] = (T)((i * 29) & 0xFF);
    cudaMalloc((void **)&d_idata, size * sizeof(T));
    cudaMalloc((void **)&d_odata, blocks * sizeof(T));
    cudaMemcpy(d_idata, h_idata, size * sizeof(T), cudaMemcpyHostToDevice);
    launchReduce<T>(size, threads, blocks, d_idata, d_odata);
    cudaMemcpy(h_odata, d_odata, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; i++)
        got += h_odata[i];
    printf("%s n=%d threads=%d sum=%.0f %s\n", name, size, threads, (double)got, got == sum ? "ok" : "FAIL");
    cudaFree(d_idata);
    cudaFree(d_odata);
    free(h_idata);
    return got != sum;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int threads = 64; threads <= 256; threads *= 2) {
        failed += test<int>("int", 1 << 12, threads);
        failed += test<int>("int", 3001, threads);
        failed += test<double>("double", 777, threads);
    }
    (void)argc, (void)argv;
    puts(failed ? "FAIL" : "PASS");
    return failed;
}
