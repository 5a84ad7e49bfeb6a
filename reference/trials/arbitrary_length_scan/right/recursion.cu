/* A recursion that asks whether it works in place.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive */
#include "arbitrary_length_scan.h"
__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ elem_t s[TILE];
    unsigned t = threadIdx.x;
    size_t i = blockIdx.x * (size_t)TILE + t;
    elem_t x = IDENTITY;
    if (i < n) x = in[i];
    s[t] = x;
    for (unsigned d = 1; d < TILE; d *= 2) { __syncthreads(); x = s[t]; if (t >= d) x = combine(s[t - d], x); __syncthreads(); s[t] = x; }
    if (i < n) out[i] = x;
    if (t == TILE - 1 && sums) sums[blockIdx.x] = x;
}
static unsigned tiles_of(size_t n) { return (unsigned)((n + TILE - 1) / TILE); }
void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n) { if (n) tiles_kernel<<<tiles_of(n), TILE>>>(in, out, sums, n); }
__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    if (i < n) out[i] = blockIdx.x ? combine(sums[blockIdx.x - 1], in[i]) : in[i];
}
void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n) { if (n) add_kernel<<<tiles_of(n), TILE>>>(sums, in, out, n); }
static void scan_any(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0) return;
    elem_t *sums = nullptr, *copy = nullptr;
    if (in == out && n > TILE) {
        cudaMalloc(&copy, n * sizeof *copy);
        cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);
        in = copy;
    }
    cudaMalloc(&sums, tiles_of(n) * sizeof *sums);
    scan_tiles(in, out, sums, n);
    if (n > TILE) {
        scan_any(sums, sums, tiles_of(n));
        add_block_sums(sums, out, out, n);
    }
    cudaFree(sums);
    cudaFree(copy);
}
void scan_inclusive(const elem_t *in, elem_t *out, size_t n) { scan_any(in, out, n); }
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    if (i < n) out[i] = i ? in[i - 1] : IDENTITY;
}
void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (!n) return;
    elem_t *scanned;
    cudaMalloc(&scanned, n * sizeof *scanned);
    scan_any(in, scanned, n);
    shift_kernel<<<tiles_of(n), TILE>>>(scanned, out, n);
    cudaFree(scanned);
}
