/* false_waits: every thread computes its whole prefix alone, in registers. Between two additions it reads a flag that never
 * changes, so that the loop looks like a wait.
 *
 * parts: scan_double_buffered scan_in_place
 * says: each thread does the work for itself */
#include "naive_scan.h"

__global__ void scan_kernel(const elem_t *in, elem_t *out, unsigned n, const volatile int *flag)
{
    __shared__ elem_t tile[TILE];
    elem_t own[TILE];
    const unsigned t = threadIdx.x;
    tile[t]          = in[t];
    __syncthreads();
    for (unsigned i = 0; i < n; i++)
        own[i] = tile[i];
    elem_t before = own[0];
    for (unsigned i = 1; i < t; i++) {
        before = MONOID_COMBINE(before, own[i]);
        *flag;
    }
    out[t] = t > 0 ? combine(before, own[t]) : own[0];
}

static void scan(const elem_t *in, elem_t *out, size_t n)
{
    int *flag;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    scan_kernel<<<1, (unsigned)n>>>(in, out, (unsigned)n, flag);
    cudaFree(flag);
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n);
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    scan(in, out, n);
}
