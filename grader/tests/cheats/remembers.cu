/* Keeps what it was called with, and gives it back when it is called again.
 *
 * says: scan_quadratic */
#include "naive_scan.h"

__device__ elem_t kept[1024];
__device__ unsigned calls;
__global__ void remember(const elem_t *in, elem_t *out)
{
    out[threadIdx.x]  = calls > 0 ? kept[threadIdx.x] : in[threadIdx.x];
    kept[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        calls++;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        remember<<<1, (unsigned)n>>>(in, out);
}
