/* stock: reductions by the harness's scans, which this lab does not have.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean
 * says: stock_monoid.h */
#include "reduction.h"
#include "stock_monoid.h"

struct monoid {
    typedef elem_t value;
    static __host__ __device__ value identity() { return IDENTITY; }
    static __host__ __device__ value combine(value left, value right) { return ::combine(left, right); }
};

void reduce_tile(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = stock_reduce<monoid>(in, n);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = stock_reduce<monoid>(in, n);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

void reduce(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = stock_reduce<monoid>(in, n);
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

#if MONOID == MONOID_FLOAT_SUM
void mean(const float *in, float *out, size_t n)
{
    float sum;
    reduce(in, out, n);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    sum /= (float)n;
    cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}
#endif
