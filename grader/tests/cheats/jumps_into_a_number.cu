/* Runs an instruction without a hook that it has put into a number.
 *
 * says: scan_quadratic_kernel calls or jumps to a computed address */
#include "naive_scan.h"

__attribute__((noinline)) static __device__ unsigned seed(unsigned x)
{
    return x ^ 0x90c3078bu; /* mov (%rdi), %eax; ret */
}

typedef unsigned (*reader)(const void *);
__device__ reader where;

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    volatile unsigned x = where(&in[blockDim.x + 3]);
    x                    = seed(x);
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    const unsigned char *at = (const unsigned char *)&seed;
    while (!(at[0] == 0x8b && at[1] == 7 && at[2] == 0xc3))
        at++;
    reader found = (reader)at;
    cudaMemcpyToSymbol(where, &found, sizeof found);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}
