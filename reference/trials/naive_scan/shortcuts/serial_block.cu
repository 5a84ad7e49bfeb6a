/* serial_block: one block walks through arrays of any length, a tile of its threads at a time.
 *
 * parts: scan_global inclusive_to_exclusive exclusive_to_inclusive
 * says: one block does the work */
#include "naive_scan.h"

/* out may be in. */
__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n)
{
    __shared__ elem_t buffer[1024];
    unsigned t    = threadIdx.x;
    elem_t before = IDENTITY;
    bool any      = false;
    for (size_t first = 0; first < n; first += blockDim.x) {
        unsigned m = n - first < blockDim.x ? (unsigned)(n - first) : blockDim.x;
        elem_t sum = IDENTITY;
        if (t < m)
            sum = buffer[t] = in[first + t];
        for (unsigned stride = 1; stride < m; stride *= 2) {
            __syncthreads();
            if (t >= stride && t < m)
                sum = combine(buffer[t - stride], sum);
            __syncthreads();
            if (t < m)
                buffer[t] = sum;
        }
        if (t < m && any)
            sum = combine(before, sum);
        __syncthreads();
        if (t < m) {
            buffer[t]      = sum;
            out[first + t] = sum;
        }
        __syncthreads();
        before = buffer[m - 1];
        any    = true;
        __syncthreads();
    }
}

__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = i > 0 ? in[i - 1] : IDENTITY;
}

__global__ void combine_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = combine(scanned[i], in[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_kernel<<<1, 1024>>>(in, out, n);
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, (unsigned)n>>>(in, out, n);
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, (unsigned)n>>>(in, out, n);
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, (unsigned)n>>>(in, out, n);
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<1, 1024>>>(in, out, n);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        combine_kernel<<<1, 1024>>>(scanned, in, out, n);
}
