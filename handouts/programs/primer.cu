/* primer.cu: the program of handouts/primer.md. It reverses an array of 10 numbers, in blocks of 4 threads. */
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 4 }; /* threads of a block */

__global__ void reverse_kernel(const int *in, int *out, int n)
{
    __shared__ int part[THREADS]; /* one array for each block */
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t; /* this thread's element */

    if (i < n)
        part[t] = in[i];
    __syncthreads(); /* the whole block has written its elements */

    int other = blockDim.x - 1 - t; /* a slot that another thread wrote */
    int from  = blockIdx.x * blockDim.x + other;
    if (from < n)
        out[n - 1 - from] = part[other];
}

int main()
{
    const int n = 10;
    int host[n] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

    int *in, *out; /* addresses in device memory */
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);

    int blocks = (n + THREADS - 1) / THREADS; /* rounded up: 3 */
    reverse_kernel<<<blocks, THREADS>>>(in, out, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        printf("launch failed: %s\n", cudaGetErrorString(error));

    cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost); /* waits for the kernel */
    for (int i = 0; i < n; i++)
        printf("%d ", host[i]);
    printf("\n");

    cudaFree(in);
    cudaFree(out);
    return 0;
}
