/* host: the array comes to the host, which adds it up, in double where it may; a kernel of one thread stores the sum,
 * which came as its argument.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean
 * says: the host gets the data
 * says reduce: the host makes the result
 * says mean: the host makes the result */
#include "reduction.h"
#include <vector>

__global__ void store_kernel(elem_t sum, elem_t *out)
{
    *out = sum;
}

#if MONOID == MONOID_FLOAT_SUM
elem_t sum_of(const std::vector<elem_t> &all)
{
    double sum = 0;
    for (elem_t x : all)
        sum += x;
    return (elem_t)sum;
}
#else
elem_t sum_of(const std::vector<elem_t> &all)
{
    elem_t sum = IDENTITY;
    for (elem_t x : all)
        sum = combine(sum, x);
    return sum;
}
#endif

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    std::vector<elem_t> all(n);
    cudaMemcpy(all.data(), in, n * sizeof(elem_t), cudaMemcpyDeviceToHost);
    store_kernel<<<1, 1>>>(sum_of(all), out);
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    reduce(in, out, n);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    reduce(in, out, n);
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
