/* serial_block_idle: one block of 1024 threads scans everything, and 63 others read the whole input for nothing.
 *
 * parts: scan_inclusive scan_single_pass
 * says: combines that join two parts, at most nine tenths allowed */
#include "arbitrary_length_scan.h"

enum { THREADS = 1024, BLOCKS = 64 };

/* Inclusive scan of one value a thread; buffer is shared memory of THREADS elements. */
__device__ elem_t scan_block(elem_t value, elem_t *buffer)
{
    unsigned t = threadIdx.x;
    __syncthreads();
    buffer[t] = value;
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            value = combine(buffer[t - stride], value);
        __syncthreads();
        buffer[t] = value;
    }
    __syncthreads();
    return value;
}

__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n)
{
    __shared__ elem_t buffer[THREADS];
    unsigned t    = threadIdx.x;
    elem_t before = IDENTITY;
    if (blockIdx.x > 0) {
        for (size_t i = t; i < n; i += THREADS)
            before = combine(IDENTITY, in[i]);
        return;
    }
    for (size_t first = 0; first < n; first += THREADS) {
        size_t i   = first + t;
        elem_t own = scan_block(i < n ? in[i] : IDENTITY, buffer);
        if (i < n)
            out[i] = combine(before, own);
        before = combine(before, buffer[THREADS - 1]);
    }
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<BLOCKS, THREADS>>>(in, out, n);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    scan_inclusive(in, out, n);
}
