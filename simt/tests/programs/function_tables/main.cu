/* Function pointers on the device: a table in another file (-rdc), one fetched by the host, recursion, printf. */
#include "operations.h"
#include <stdio.h>

__device__ int difference(int a, int b)
{
    return a - b;
}
__device__ operation_t chosen = difference;

__global__ void apply(operation_t op, const int *a, const int *b, int *out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n)
        out[i] = (*op)(a[i], b[i]);
}

__global__ void apply_from_table(int which, const int *a, const int *b, int *out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n)
        out[i] = table[which](a[i], b[i]);
    if (i == 0)
        printf("operation %d of %d: %d\n", which, (int)OP_COUNT, out[0]);
}

int main()
{
    const int n = 9;
    int a[n], b[n], out[n], sum = 0;
    int *d_a, *d_b, *d_out;
    operation_t op;
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 3;
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    for (int which = OP_ADD; which < OP_COUNT; which++) {
        apply_from_table<<<3, 4>>>(which, d_a, d_b, d_out, n);
        cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++)
            printf(i + 1 < n ? "%d " : "%d\n", out[i]), sum += out[i];
    }
    cudaMemcpyFromSymbol(&op, chosen, sizeof(op));
    apply<<<3, 4>>>(op, d_a, d_b, d_out, n);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        sum += out[i];
    printf("sum %d\n%s\n", sum, sum == 63 + 1296 + 230 + 9 ? "PASS" : "FAIL");
    return 0;
}
