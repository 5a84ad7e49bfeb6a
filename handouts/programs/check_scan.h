/* check_scan.h: runs a kernel on n numbers, and compares its result with that of a loop. */
#ifndef CHECK_SCAN_H
#define CHECK_SCAN_H

#include <cstdio>
#include <cuda_runtime.h>

enum { MOST = 1024 }; /* numbers */

typedef void scan_kernel(const int *in, int *out, int n);

/* Returns 0 when out is the scan of in; inclusive, or exclusive. */
static int check_scan(scan_kernel *kernel, int blocks, int threads, int n, bool inclusive)
{
    int host[MOST], expected[MOST], result[MOST], sum = 0;
    for (int i = 0; i < n; i++) {
        host[i] = (i * 7 + 3) % 10;
        expected[i] = inclusive ? sum + host[i] : sum;
        sum += host[i];
    }

    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
    kernel<<<blocks, threads>>>(in, out, n);
    cudaMemcpy(result, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);

    for (int i = 0; i < n; i++)
        if (result[i] != expected[i]) {
            printf("slot %d is %d, expected %d\n", i, result[i], expected[i]);
            return 1;
        }
    printf("all %d slots are right\n", n);
    return 0;
}

#endif
