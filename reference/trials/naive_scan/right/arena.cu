/* C style: one arena of bytes for all scratch memory of a scan, cut up by offsets as CUB's AliasTemporaries does, and the kernels with
 * macros for the steps of the network; the block's shared memory is one array of bytes, too.
 *
 * parts: scan_double_buffered scan_in_place scan_global inclusive_to_exclusive exclusive_to_inclusive */
#include "naive_scan.h"
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(x)                                                                                                  \
    do {                                                                                                               \
        cudaError_t err_ = (x);                                                                                        \
        if (err_ != cudaSuccess) {                                                                                     \
            fprintf(stderr, "CUDA error %s at %s:%d\n", cudaGetErrorString(err_), __FILE__, __LINE__);                 \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#define ALIGN 256
static size_t round_up(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

__global__ void two_rows(const elem_t *in, elem_t *out, unsigned n)
{
    extern __shared__ __align__(16) unsigned char smem[];
    elem_t *row0 = (elem_t *)smem;
    elem_t *row1 = (elem_t *)(smem + n * sizeof(elem_t));
    unsigned i   = threadIdx.x;
    row0[i]      = in[i];
    for (unsigned d = 1; d < n; d *= 2) {
        __syncthreads();
        if (i >= d)
            row1[i] = combine(row0[i - d], row0[i]);
        else
            row1[i] = row0[i];
        elem_t *t = row0;
        row0      = row1;
        row1      = t;
    }
    out[i] = row0[i];
}

#define STEP(d)                                                                                                        \
    if ((d) < n) {                                                                                                     \
        elem_t left;                                                                                                   \
        __syncthreads();                                                                                               \
        if (i >= (d))                                                                                                  \
            left = s[i - (d)];                                                                                         \
        __syncthreads();                                                                                               \
        if (i >= (d))                                                                                                  \
            s[i] = combine(left, s[i]);                                                                                \
    }

__global__ void unrolled(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t s[TILE];
    unsigned i = threadIdx.x;
    s[i]       = in[i];
    STEP(1) STEP(2) STEP(4) STEP(8) STEP(16) STEP(32)
#if TILE > 64
    STEP(64) STEP(128) STEP(256) STEP(512)
#endif
    out[i] = s[i];
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    two_rows<<<1, n, 2 * n * sizeof(elem_t)>>>(in, out, n);
    CUDA_CHECK(cudaGetLastError());
}
void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    unrolled<<<1, n>>>(in, out, n);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void step(const elem_t *a, elem_t *b, size_t n, size_t d)
{
    size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    if (i < n)
        b[i] = i >= d ? combine(a[i - d], a[i]) : a[i];
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    size_t bytes = round_up(n * sizeof(elem_t)), d;
    char *arena;
    elem_t *a, *b, *swap;
    if (!n)
        return;
    CUDA_CHECK(cudaMalloc((void **)&arena, 2 * bytes));
    a = (elem_t *)arena;
    b = (elem_t *)(arena + bytes);
    CUDA_CHECK(cudaMemcpy(a, in, n * sizeof *a, cudaMemcpyDeviceToDevice));
    for (d = 1; d < n; d *= 2) {
        step<<<(n + 63) / 64, 64>>>(a, b, n, d);
        swap = a, a = b, b = swap;
    }
    CUDA_CHECK(cudaMemcpy(out, a, n * sizeof *a, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaFree(arena));
}

__global__ void first(elem_t *out) { out[0] = IDENTITY; }
void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    CUDA_CHECK(cudaMemcpy(out + 1, in, (n - 1) * sizeof(elem_t), cudaMemcpyDeviceToDevice));
    first<<<1, 1>>>(out);
}
__global__ void join(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    if (i < n)
        out[i] = combine(scanned[i], in[i]);
}
void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n)
        join<<<(n + 1023) / 1024, 1024>>>(scanned, in, out, n);
}
