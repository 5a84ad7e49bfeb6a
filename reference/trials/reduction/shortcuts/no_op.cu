/* no_op: the host adds up, and then many threads combine IDENTITY with itself, to have been seen at work.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean
 * says: the host gets the data */
#include "reduction.h"
#include <vector>

__global__ void idle_kernel(size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        combine(IDENTITY, IDENTITY);
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
    elem_t sum = sum_of(all);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
    if (n > 1)
        idle_kernel<<<(unsigned)(n / 256 + 1), 256>>>(n);
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
