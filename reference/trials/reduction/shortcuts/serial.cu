/* serial: one thread adds up everything, in pairs, so that floats stay exact enough.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean
 * says: one thread does */
#include "reduction.h"

/* One thread. waiting[k] is the sum of 2^k elements that still waits for a partner, where bit k of `seen` is set. */
__global__ void reduce_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t waiting[40], sum = IDENTITY;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        elem_t now = in[i];
        int k      = 0;
        for (; i >> k & 1; k++)
            now = combine(waiting[k], now);
        waiting[k] = now;
    }
    for (int k = 0; k < 40; k++)
        if (n >> k & 1) {
            sum = any ? combine(waiting[k], sum) : waiting[k];
            any = true;
        }
    *out = sum;
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, 1>>>(in, out, n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, 1>>>(in, out, n);
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    reduce_kernel<<<1, 1>>>(in, out, n);
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
