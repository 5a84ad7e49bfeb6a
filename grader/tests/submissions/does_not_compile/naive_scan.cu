/* Lacks a semicolon. */
#include "naive_scan.h"

__global__ void scan_quadratic_kernel(const elem_t *in, elem_t *out)
{
    elem_t sum = in[0] /* fault: no semicolon, over which the compiler stumbles a line further down */
    out[threadIdx.x] = sum;
}

/* Right: the parts after the faulty one must be judged as if nothing had happened. */
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i > 0 ? in[i - 1] : IDENTITY;
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<(unsigned)((n + 127) / 128), 128>>>(in, out, n);
}

__global__ void add_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        add_kernel<<<(unsigned)((n + 127) / 128), 128>>>(scanned, in, out, n);
}
