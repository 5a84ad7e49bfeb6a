// Lambdas that kernels run: __device__ ones with captures, one for both sides, and one within a kernel.
#include <cstdio>
#include <cuda_runtime.h>

template <class F> __global__ void for_each(int *out, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto store = [&] __device__(int value) { out[i] = value; };
    if (i < n)
        store(f(i));
}

static void print(const char *what, const int *out, int n)
{
    int host[16];
    cudaMemcpy(host, out, n * sizeof *host, cudaMemcpyDeviceToHost);
    printf("%s:", what);
    for (int i = 0; i < n; i++)
        printf(" %d", host[i]);
    printf("\n");
}

int main()
{
    const int n = 10, base = 100;
    int *out, *in;
    cudaMalloc(&out, n * sizeof *out);
    cudaMalloc(&in, n * sizeof *in);
    auto square = [] __host__ __device__(int i) { return i * i; };
    for_each<<<3, 4>>>(in, n, square);
    print("squares", in, n);
    for_each<<<3, 4>>>(out, n, [=] __device__(int i) { return base + in[i] * (int)blockDim.x; });
    print("captured", out, n);
    printf("on the host: %d\n", square(7));
    for (int shift = 0; shift < 2; shift++)
        for_each<<<1, 16>>>(out, n, [shift, in] __device__(int i) mutable { return in[i] >> shift++; });
    print("shifted", out, n);
    cudaFree(in);
    cudaFree(out);
    printf("PASS\n");
}
