/* serial_block: one block for any length: on a GPU all multiprocessors but one are idle.
 *
 * parts: reduce mean
 * says: one block does the work */
#include "reduction.h"

enum { MOST_THREADS = 1024 };

__global__ void reduce_kernel(const elem_t *in, elem_t *out, size_t n)
{
    __shared__ elem_t sums[MOST_THREADS];
    unsigned t = threadIdx.x;
    elem_t sum = IDENTITY;
    for (size_t i = t; i < n; i += blockDim.x)
        sum = combine(sum, in[i]);
    sums[t] = sum;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            sums[t] = combine(sums[t], sums[t + stride]);
    }
    if (t == 0)
        *out = sums[0];
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, (unsigned)n / 2>>>(in, out, n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, (unsigned)n / 2>>>(in, out, n);
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    unsigned threads = n > (size_t)MOST_THREADS * 4 ? MOST_THREADS : 256;
    reduce_kernel<<<1, threads>>>(in, out, n);
}

#if MONOID == MONOID_FLOAT_SUM
__global__ void divide_kernel(float *value, size_t n)
{
    *value /= (float)n;
}

void mean(const float *in, float *out, size_t n)
{
    reduce(in, out, n);
    divide_kernel<<<1, 1>>>(out, n);
}
#endif
