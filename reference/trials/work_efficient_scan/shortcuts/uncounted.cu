/* uncounted: log steps with the operator by its own name, which is not counted, and one combine for each output.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_global_tree
 * says: operands of combine() that no combine() has made */
#include "work_efficient_scan.h"

/* Inclusive log steps over x, with a register for each element. */
static __device__ void log_steps(elem_t *x, unsigned n)
{
    const unsigned t = threadIdx.x;
    for (unsigned d = 1; d < n; d *= 2) {
        __syncthreads();
        elem_t mine = x[t];
        if (t >= d)
            mine = MONOID_COMBINE(x[t - d], mine);
        __syncthreads();
        x[t] = mine;
    }
    __syncthreads();
}

__global__ void tile_kernel(const elem_t *in, elem_t *out, bool inclusive)
{
    __shared__ elem_t x[TILE];
    const unsigned n = blockDim.x, t = threadIdx.x;
    const elem_t own = in[t], before = t > 0 ? in[t - 1] : IDENTITY;
    x[t] = own;
    log_steps(x, n);
    if (inclusive)
        out[t] = t > 0 ? combine(x[t - 1], own) : own;
    else
        out[t] = t > 1 ? combine(x[t - 2], before) : before;
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n>>>(in, out, false);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n>>>(in, out, false);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)n>>>(in, out, true);
}


__global__ void step_kernel(const elem_t *from, elem_t *to, size_t n, size_t d)
{
    const size_t i = blockIdx.x * (size_t)256 + threadIdx.x;
    if (i < n)
        to[i] = i >= d ? MONOID_COMBINE(from[i - d], from[i]) : from[i];
}

__global__ void last_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)256 + threadIdx.x;
    if (i < n)
        out[i] = i > 1 ? combine(scanned[i - 2], in[i - 1]) : i > 0 ? in[0] : IDENTITY;
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    elem_t *x[3];
    const unsigned blocks = (unsigned)((n + 255) / 256);
    for (elem_t *&p : x)
        cudaMalloc(&p, n * sizeof *p);
    cudaMemcpy(x[2], in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    const elem_t *from = x[2];
    unsigned step = 0;
    for (size_t d = 1; d < n; d *= 2, step++) {
        step_kernel<<<blocks, 256>>>(from, x[step % 2], n, d);
        from = x[step % 2];
    }
    elem_t *again = x[step % 2];
    cudaMemcpy(again, in, n * sizeof *in, cudaMemcpyDeviceToDevice);
    last_kernel<<<blocks, 256>>>(from, again, out, n);
    for (elem_t *&p : x)
        cudaFree(p);
}
