/* Has the runtime write over the C library's variables, from where one comes to the device's.
 *
 * says: scan_quadratic: host code writes to memory that is not its own
 * says: scan_double_buffered: host code writes to memory that is not its own
 * says: scan_in_place: host code writes to memory that is not its own
 * says: scan_global: host code writes to memory that is not its own */
#include "naive_scan.h"
#include <stdio.h>

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0];
    for (unsigned i = 1; i <= threadIdx.x; i++)
        sum = combine(sum, in[i]);
    out[threadIdx.x] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    cudaMalloc((void **)(void *)stdout, 0);
    if (n > 0)
        scan_quadratic_kernel<<<1, (unsigned)n>>>(in, out);
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    cudaMemcpy(stdout, in, n, cudaMemcpyDeviceToHost);
    (void)out;
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    cudaHostRegister(stdout, n, 0);
    (void)in, (void)out;
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    char own, *volatile to = &own; /* of a length that nobody knows */
    cudaMemcpy2D(to, (size_t)((char *)stdout - &own), in, 1, 1, 2, cudaMemcpyDeviceToHost);
    (void)out, (void)n;
}
