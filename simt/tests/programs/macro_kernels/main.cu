/* Kernels that a macro defines from a list, and that another one launches; an array of pointers to kernels. */
#include <cuda_runtime.h>
#include <stdio.h>

#define THREADS                64
#define INDEX                  (blockIdx.x * blockDim.x + threadIdx.x)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + THREADS - 1) / THREADS, THREADS>>>(__VA_ARGS__)

#define ELEMENTWISE(name, expression)                                                                        \
    __global__ void kernel_##name(const int *a, const int *b, int *out, unsigned n)                          \
    {                                                                                                        \
        unsigned i = INDEX;                                                                                  \
        if (i < n)                                                                                           \
            out[i] = expression;                                                                             \
    }
#include "kernels.inc"
#undef ELEMENTWISE

typedef void (*kernel_t)(const int *, const int *, int *, unsigned);
static const struct {
    const char *name;
    kernel_t kernel;
} kernels[] = {
#define ELEMENTWISE(name, expression) {#name, kernel_##name},
#include "kernels.inc"
#undef ELEMENTWISE
};

static int expected(int which, int a, int b)
{
    switch (which) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a > b ? a : b;
    default:
        return (a & 0xf) | (b << 4);
    }
}

int main(void)
{
    enum { N = 150 };
    int a[N], b[N], out[N], wrong = 0;
    int *d_a, *d_b, *d_out;
    for (int i = 0; i < N; i++) {
        a[i] = i * i % 91;
        b[i] = 200 - 3 * i;
    }
    cudaMalloc((void **)&d_a, sizeof a);
    cudaMalloc((void **)&d_b, sizeof b);
    cudaMalloc((void **)&d_out, sizeof out);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        long total = 0;
        LAUNCH(kernels[k].kernel, N, d_a, d_b, d_out, N);
        if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess)
            return 1;
        for (int i = 0; i < N; i++) {
            wrong += out[i] != expected((int)k, a[i], b[i]);
            total += out[i];
        }
        printf("%s: %ld\n", kernels[k].name, total);
    }
    LAUNCH(kernel_plus, N, d_a, d_b, d_out, N);
    cudaFree(d_a), cudaFree(d_b), cudaFree(d_out);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
